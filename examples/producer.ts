// A snapshot from two spreadsheets: node producer.ts people.csv access.csv > snapshot.ndjson
import { readFileSync } from "node:fs";

const rows = (file: string) => readFileSync(file, "utf8").trim().split(/\r?\n/).slice(1).map((line) => line.split(","));
const [people = [], access = []] = process.argv.slice(2).map(rows);
const organization = "northlight";
const created = { createdAt: "2026-01-01T00:00:00Z" }; // a fixed date: today's would make every import a change
const key = (title: string) => title.toLowerCase().replaceAll(" ", "-");
const lines: string[] = [];
const record = (object: string, fields: object) => lines.push(JSON.stringify({ object, ...fields }));

record("organization", { id: organization, title: "Northlight" });
for (const [name, email, role] of people) {
  record("user", { id: email, displayName: name, email });
  record("member", { organization, user: email, role: role || null }); // no role: a guest
}
for (const title of new Set(people.map(([, , , team = ""]) => team)))
  if (title) record("team", { id: key(title), organization, title, ...created });
for (const [, user, , team] of people) if (team) record("teamMember", { team: key(team), user, role: "member" });
for (const title of new Set(access.map(([space = ""]) => space)))
  record("space", { id: key(title), organization, title, ...created, updatedAt: created.createdAt });
for (const [space = "", team, user, permission] of access)
  record("permission", { space: key(space), ...(team ? { team: key(team) } : { user }), permission });
record("end", { records: lines.length }); // a file that was cut has no such line
console.log(lines.join("\n"));
