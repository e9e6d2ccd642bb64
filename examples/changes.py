# What changed from one snapshot to the next: python3 changes.py before.ndjson after.ndjson > changes.ndjson
import json, sys

NAMES = ["organization", "space", "collection", "site", "team", "user"]  # a record without an id is a pair of these

def key_of(record):
    return {name: record[name] for name in ["object", *(["id"] if "id" in record else NAMES)] if name in record}

def read(file):
    records = [json.loads(line) for line in open(file, encoding="utf-8")]
    return {json.dumps(key_of(record)): record for record in records if record["object"] != "end"}

before, after = map(read, sys.argv[1:3])
organization = next(record["id"] for record in after.values() if record["object"] == "organization")
lines = [{"object": "changes", "organization": organization}]
lines += [record for key, record in after.items() if before.get(key) != record]
lines += [{**json.loads(key), "removed": True} for key, record in before.items() if key not in after and record["object"] != "user"]
lines.append({"object": "end", "records": len(lines)})  # it counts the header too
print("\n".join(map(json.dumps, lines)))
