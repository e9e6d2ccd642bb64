/** The picture of the example in docs/permissions.md shows each content with its default level and permissions. */
import { describe, expect, test } from "vitest";
import { levelOf, recordOf } from "../../oracle/effective.ts";
import { factsOf } from "../../oracle/facts.ts";
import { acme, textOf } from "../acme.ts";
import { contentOf } from "./content.ts";
import { fenced } from "../../docs/reading/fence.ts";

const facts = factsOf(acme, "acme");
const doc = textOf("docs/permissions.md");

describe("the picture of the tree", () => {
  const rows = treeRows();

  test("shows each content once", () => {
    expect(rows.map(({ id }) => id).toSorted()).toEqual(
      [...facts.collections.keys(), ...facts.spaces.keys()].toSorted(),
    );
  });

  test.each(rows)("$id: $given", ({ title, id, level, given }) => {
    const content = contentOf(facts, id);
    const record = recordOf(facts, content);
    expect(record?.title).toBe(title);
    expect(record && (levelOf(record) ?? "closed")).toBe(level === "" ? "inherit" : level);
    expect(given).toEqual(
      facts.permissionsOn(content).map((permission) => {
        if (permission.team !== undefined) {
          return `team ${facts.teams.get(permission.team)?.title} ${permission.permission}`;
        }
        const guest = facts.members.get(permission.user) === null ? " (guest)" : "";
        return `${givenName(permission.user)}${guest} ${permission.permission}`;
      }),
    );
  });
});

/** The rows of the picture; permissions may continue on further lines. */
function treeRows(): { title: string; id: string; level: string; given: string[] }[] {
  const picture = fenced(doc, "").find((block) => block.startsWith("Acme ")) ?? "";
  const [head = "", ...lines] = picture.trimEnd().split("\n");
  const [id, level, given] = ["id ", "default ", "given "].map((name) => head.indexOf(name));
  const rows: ReturnType<typeof treeRows> = [];
  for (const line of lines) {
    const entries = line
      .slice(given)
      .split(", ")
      .map((entry) => entry.replace(/,$/, ""));
    const row = {
      title: line
        .slice(0, id)
        .replace(/^[ |]*[|`]-- /, "")
        .trim(),
      id: line.slice(id, level).trim(),
      level: line.slice(level, given).trim(),
      given: entries.filter((entry) => entry !== "-"),
    };
    if (row.id === "") rows.at(-1)?.given.push(...entries);
    else rows.push(row);
  }
  return rows;
}

/** The name of a person in the picture: the first name; the full name for a program. */
function givenName(user: string): string {
  const name = facts.users.get(user)?.displayName ?? user;
  return facts.users.get(user)?.email === undefined ? name : (name.split(" ")[0] ?? name);
}
