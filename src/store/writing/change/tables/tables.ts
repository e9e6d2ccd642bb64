/** The tables that a change writes. */
import { VersionedTable } from "./versioned-table.ts";

export const MEMBER = new VersionedTable<
  [position: number],
  [id: string, role: number, teams: string, grants: string, doc: string, omitted: number]
>("member", ["position"], ["id", "role", "teams", "grants", "doc", "omitted"], true);

export const TEAM_MEMBER = new VersionedTable<[position: number, team: string], [role: string]>(
  "team_member",
  ["position", "team"],
  ["role"],
  true,
);

export const USER_GRANT = new VersionedTable<[position: number, content: string], [role: number]>(
  "user_grant",
  ["position", "content"],
  ["role"],
  true,
);

export const TEAM_GRANT = new VersionedTable<[content: string, team: string], [role: number]>(
  "team_grant",
  ["content", "team"],
  ["role"],
);

export const TEAM = new VersionedTable<
  [id: string],
  [title: string, folded: string, doc: string, members: number, spaces: number]
>("team", ["id"], ["title", "folded", "doc", "members", "spaces"]);

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
>("content", ["id"], ["parent", "title", "level", "depth", "position", "doc", "look"], true);

export const SPACE = new VersionedTable<
  [position: number],
  [key: string, doc: string, omitted: number, parent: string | null, level: number, teams: string]
>("space", ["position"], ["key", "doc", "omitted", "parent", "level", "teams"], true);

export const SITE = new VersionedTable<[id: string], [title: string]>("site", ["id"], ["title"]);

export const SITE_SPACE = new VersionedTable<[site: string, space: string], []>(
  "site_space",
  ["site", "space"],
  [],
);

export const CONTAINER = new VersionedTable<
  [universe: number, chunk: number, name: string],
  [bits: Uint8Array]
>("container", ["universe", "chunk", "name"], ["bits"]);

export const CATALOG = new VersionedTable<[list: string, position: string], [thing: string, own: number]>(
  "catalog",
  ["list", "position"],
  ["thing", "own"],
);
