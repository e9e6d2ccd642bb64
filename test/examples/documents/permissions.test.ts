/** What docs/permissions.md states about the example is true. */
import { describe, expect, test } from "vitest";
import { atLeast, effectiveOf } from "../../oracle/effective.ts";
import { factsOf } from "../../oracle/facts.ts";
import { oracle } from "../../oracle/oracle.ts";
import { ROLES } from "../../oracle/records.ts";
import { wireSpace } from "../../oracle/wire.ts";
import { acme, textOf } from "../acme.ts";
import { contentOf } from "./content.ts";
import { reasonOf } from "../reason.ts";
import { sentenceOf } from "../sentence.ts";
import { idIn, tableHeaded, tableUnder } from "../../docs/reading/table.ts";

const doc = textOf("docs/permissions.md");
const facts = factsOf(acme, "acme");
const publicUrl = "http://localhost:3000";
const second = oracle(acme, { publicUrl });
const members = [...facts.members.keys()];

describe("worked cases", () => {
  const cases = tableUnder(doc, "Worked cases");

  test.each(cases)("%s on %s: %s", (who, where, role, rule, because) => {
    const user = idIn(who);
    const content = contentOf(facts, idIn(where));
    const reason = reasonOf(facts, user, content);
    expect(role).toBe(second.effective("acme", user, content) ?? "none");
    expect(rule).toBe(reason.at ? `${reason.rule} at \`${reason.at.id}\`` : reason.rule);
    expect(because).toBe(sentenceOf(facts, "Acme", user, content));
    expect(who).toBe(`${facts.users.get(user)?.displayName ?? "Someone else"} \`${user}\``);
  });

  test("have a case for every rule", () => {
    const rules = new Set(cases.map((row) => row[3]?.split(" ")[0]));
    expect(rules).toEqual(new Set(["1", "2a", "2b", "2c", "2d", "3"]));
  });

  test("occur once each", () => {
    const named = cases.map(([who, where]) => `${idIn(who)} on ${idIn(where)}`);
    expect(new Set(named).size).toBe(named.length);
  });
});

describe("sites", () => {
  test.each(tableUnder(doc, "Sites"))("%s, %s: %s", (site, who, role, type, space) => {
    const user = idIn(who);
    const entry = second
      .list("acme", { endpoint: 8, site: idIn(site) })
      .find((item) => "origin" in item && item.user.id === user);
    expect(entry).toMatchObject({ permission: role, origin: { type, space: idIn(space) } });
  });
});

test("the two sentences in the text", () => {
  const text = doc.replace(/\s+/g, " ");
  const space = { kind: "space", id: "api-reference" } as const;
  const kofi = "kofi@partner.example";
  const spaces = facts.sites.get("acme-docs")?.length;
  expect(text).toContain(`*${sentenceOf(facts, "Acme", "ana", space)}*`);
  expect(text).toContain(
    `*review, the highest of Kofi Mensah’s roles on this site’s ${spaces} spaces, from space API reference: ` +
      `${sentenceOf(facts, "Acme", kofi, space)}*`,
  );
});

test("teams: members, permissions and spaces", () => {
  const rows = tableUnder(doc, "Teams and their spaces").map(([team, ...numbers]) => [
    idIn(team),
    ...numbers,
  ]);
  const sent = new Map(
    members.flatMap((user) =>
      second
        .list("acme", { endpoint: 9, user })
        .flatMap((item) => ("team" in item && "id" in item.team ? [[item.team.id, item.team] as const] : [])),
    ),
  );
  const expected = [...facts.teams.keys()].map((id) => {
    const given = acme.filter((record) => record.object === "permission" && record.team === id).length;
    return [id, String(sent.get(id)?.members), String(given), String(sent.get(id)?.spaces)];
  });
  expect(rows).toEqual(expected);
  expect(rows.some(([, , given, spaces]) => given !== spaces)).toBe(true);
});

test("who may list a content's users, and their number", () => {
  for (const [where, may, listed] of tableHeaded(
    doc,
    "Content",
    "Members who may list its users",
    "Users listed",
  )) {
    const content = contentOf(facts, idIn(where));
    const roles = members.flatMap((user) => effectiveOf(facts, user, content)?.role ?? []);
    expect([where, may, listed]).toEqual([
      where,
      String(roles.filter((role) => atLeast(role, "create")).length),
      String(roles.length),
    ]);
  }
});

test("what each role may do", () => {
  const names = ["access", "comment", "edit", "review", "merge", "admin"] as const;
  const [space] = facts.spaces.values();
  if (space === undefined) throw new Error("no space");
  const expected = ROLES.map((role) => {
    const { permissions } = wireSpace(space, role, publicUrl);
    return [role, ...names.map((name) => (permissions[name] ? "yes" : "no"))];
  });
  expect(tableHeaded(doc, "Effective role", ...names)).toEqual(expected);
  expect(tableHeaded(doc, "Role", "Meaning").map(([role]) => role)).toEqual([...ROLES]);
});
