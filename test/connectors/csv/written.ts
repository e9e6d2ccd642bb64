/** Writes an organization as spreadsheets, in the two forms that `convert csv` reads. */
import Papa from "papaparse";
import { type Content, oracle } from "../../oracle/oracle.ts";
import type { SnapshotRecord } from "../../oracle/records.ts";
import { only } from "./sheets.ts";

type Cells = readonly (readonly (string | null | undefined)[])[];

function csv(headings: readonly string[], rows: Cells): string {
  return Papa.unparse([[...headings], ...rows.map((row) => row.map((cell) => cell ?? ""))]);
}

function people(records: readonly SnapshotRecord[]): string {
  const users = new Map(only(records, "user").map((user) => [user.id, user]));
  const memberships = only(records, "teamMember");
  return csv(
    ["id", "name", "e-mail", "role", "teams"],
    only(records, "member").map(({ user, role }) => {
      const teams = memberships.filter((membership) => membership.user === user).map(({ team }) => team);
      return [user, users.get(user)?.displayName, users.get(user)?.email, role ?? "guest", teams.join(";")];
    }),
  );
}

function teams(records: readonly SnapshotRecord[]): string {
  return csv(
    ["id", "title", "created"],
    only(records, "team").map(({ id, title, createdAt }) => [id, title, createdAt]),
  );
}

function content(records: readonly SnapshotRecord[], withLevels: boolean): string {
  const both = [...only(records, "collection"), ...only(records, "space")];
  return csv(
    ["kind", "id", "title", "parent", ...(withLevels ? ["default level"] : []), "created", "updated"],
    both.map((record) => {
      const parent = record.parent === undefined ? "" : `collection/${record.parent}`;
      const level = record.defaultLevel === undefined ? "inherit" : (record.defaultLevel ?? "closed");
      const dates = record.object === "space" ? [record.createdAt, record.updatedAt] : ["", ""];
      return [record.object, record.id, record.title, parent, ...(withLevels ? [level] : []), ...dates];
    }),
  );
}

function sites(records: readonly SnapshotRecord[]): string {
  const links = only(records, "siteSpace");
  return csv(
    ["site", "id", "space", "default level"],
    only(records, "site").flatMap(({ id, title, defaultLevel }) => {
      const spaces = links.filter(({ site }) => site === id).map(({ space }) => `space/${space}`);
      const level = defaultLevel === null ? "closed" : defaultLevel;
      return (spaces.length === 0 ? [""] : spaces).map((space) => [title, id, space, level]);
    }),
  );
}

/** The form with people, teams, content and permissions. */
export function ladderSheets(records: readonly SnapshotRecord[]) {
  const access = only(records, "permission").map(({ space, collection, site, user, team, permission }) => [
    space !== undefined ? `space/${space}` : collection !== undefined ? `collection/${collection}` : "",
    site,
    user,
    team,
    permission ?? "none",
  ]);
  return {
    people: people(records),
    teams: teams(records),
    content: content(records, true),
    sites: sites(records),
    access: csv(["content", "site", "user", "team", "role"], access),
  };
}

/** The form with effective roles only. */
export function effectiveSheets(records: readonly SnapshotRecord[]) {
  return {
    people: people(records),
    teams: teams(records),
    content: content(records, false),
    sites: sites(records),
    effective: csv(["content", "user", "role"], effectiveRoles(records)),
  };
}

/** Every effective role by the oracle: content, user and role. */
export function effectiveRoles(records: readonly SnapshotRecord[]): string[][] {
  const [{ id: organization } = { id: "" }] = only(records, "organization");
  const answers = oracle(records, { publicUrl: "https://docs.example" });
  return contentsOf(records).flatMap((content) =>
    only(records, "member").flatMap(({ user }) => {
      const role = answers.effective(organization, user, content);
      return role === null ? [] : [[`${content.kind}/${content.id}`, user, role]];
    }),
  );
}

function contentsOf(records: readonly SnapshotRecord[]): Content[] {
  return records.flatMap(({ object, ...record }) =>
    (object === "space" || object === "collection") && "id" in record
      ? [{ kind: object, id: record.id }]
      : [],
  );
}
