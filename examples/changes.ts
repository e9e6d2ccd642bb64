// What changed from one snapshot to the next: node changes.ts before.ndjson after.ndjson > changes.ndjson
import { readFileSync } from "node:fs";

type Fields = Record<string, unknown>;
const NAMES = ["organization", "space", "collection", "site", "team", "user"]; // a record without an id is a pair of these
const keyOf = (record: Fields): Fields =>
  Object.fromEntries(["object", ...("id" in record ? ["id"] : NAMES)].filter((name) => name in record).map((name) => [name, record[name]]));
const read = (file: string): Map<string, Fields> =>
  new Map(
    readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line))
      .filter((record) => record.object !== "end").map((record) => [JSON.stringify(keyOf(record)), record]),
  );

const [before = new Map(), after = new Map()] = process.argv.slice(2).map(read);
const organization = [...after.values()].find(({ object }) => object === "organization")?.id;
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
const lines: Fields[] = [{ object: "changes", organization }];
for (const [key, record] of after) if (!same(record, before.get(key))) lines.push(record);
for (const [key, { object }] of before) if (!after.has(key) && object !== "user") lines.push({ ...JSON.parse(key), removed: true });
lines.push({ object: "end", records: lines.length }); // it counts the header too
console.log(lines.map((line) => JSON.stringify(line)).join("\n"));
