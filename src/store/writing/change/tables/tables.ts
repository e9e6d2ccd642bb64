/** The tables that a change writes. */
import { VersionedTable } from "./versioned-table.ts";

export const MEMBER = new VersionedTable<
  [position: number],
  [id: string, role: number, teams: string, grants: string, doc: string, omitted: number]
>(
  "member",
  { position: "number" },
  { id: "text", role: "number", teams: "text", grants: "text", doc: "text", omitted: "number" },
  true,
);

export const TEAM_MEMBER = new VersionedTable<[position: number, team: string], [role: string]>(
  "team_member",
  { position: "number", team: "text" },
  { role: "text" },
  true,
);

export const USER_GRANT = new VersionedTable<[position: number, content: string], [role: number]>(
  "user_grant",
  { position: "number", content: "text" },
  { role: "number" },
  true,
);

export const TEAM_GRANT = new VersionedTable<[content: string, team: string], [role: number]>(
  "team_grant",
  { content: "text", team: "text" },
  { role: "number" },
);

export const TEAM = new VersionedTable<
  [id: string],
  [title: string, folded: string, doc: string, members: number, spaces: number]
>(
  "team",
  { id: "text" },
  { title: "text", folded: "text", doc: "text", members: "number", spaces: "number" },
);

export const CONTENT = new VersionedTable<
  [id: string],
  [
    parent: string | null,
    title: string,
    level: number,
    depth: number,
    position: number | null,
    doc: string | null,
    look: string,
  ]
>(
  "content",
  { id: "text" },
  {
    parent: "text",
    title: "text",
    level: "number",
    depth: "number",
    position: "number",
    doc: "text",
    look: "text",
  },
  true,
);

export const SPACE = new VersionedTable<
  [position: number],
  [key: string, doc: string, omitted: number, parent: string | null, level: number, teams: string]
>(
  "space",
  { position: "number" },
  { key: "text", doc: "text", omitted: "number", parent: "text", level: "number", teams: "text" },
  true,
);

export const SITE = new VersionedTable<[id: string], [title: string]>(
  "site",
  { id: "text" },
  { title: "text" },
);

export const SITE_SPACE = new VersionedTable<[site: string, space: string], []>(
  "site_space",
  { site: "text", space: "text" },
  {},
);

export const CONTAINER = new VersionedTable<
  [universe: number, chunk: number, name: string],
  [bits: Uint8Array]
>("container", { universe: "number", chunk: "number", name: "text" }, { bits: "bytes" });

export const CATALOG = new VersionedTable<[list: string, position: string], [thing: string, own: number]>(
  "catalog",
  { list: "text", position: "text" },
  { thing: "text", own: "number" },
);
