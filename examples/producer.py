# A snapshot from two spreadsheets: python3 producer.py people.csv access.csv > snapshot.ndjson
import csv, json, sys

people, access = (list(csv.DictReader(open(file, encoding="utf-8", newline=""))) for file in sys.argv[1:3])
organization = "northlight"
created = {"createdAt": "2026-01-01T00:00:00Z"}  # a fixed date: today's would make every import a change
key = lambda title: title.lower().replace(" ", "-")
lines = []
record = lambda kind, **fields: lines.append(json.dumps({"object": kind, **fields}))

record("organization", id=organization, title="Northlight")
for row in people:
    record("user", id=row["email"], displayName=row["name"], email=row["email"])
    record("member", organization=organization, user=row["email"], role=row["role"] or None)  # no role: a guest
for title in dict.fromkeys(row["team"] for row in people if row["team"]):
    record("team", id=key(title), organization=organization, title=title, **created)
for row in people:
    if row["team"]: record("teamMember", team=key(row["team"]), user=row["email"], role="member")
for title in dict.fromkeys(row["space"] for row in access):
    record("space", id=key(title), organization=organization, title=title, **created, updatedAt=created["createdAt"])
for row in access:
    grantee = {"team": key(row["team"])} if row["team"] else {"user": row["person"]}
    record("permission", space=key(row["space"]), **grantee, permission=row["role"])
record("end", records=len(lines))  # a file that was cut has no such line
print("\n".join(lines))
