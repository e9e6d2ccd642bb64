/** The made-up organization of the development server: Acme from the examples, grown to a size worth scrolling. */
import { readFileSync } from "node:fs";
import { contentKey, type ContentKey, type DefaultLevel } from "../../../domain/content.ts";
import type { Role } from "../../../domain/role.ts";

export interface DevMember {
  id: string;
  displayName: string;
  email?: string;
  role: Role | null;
  teams: Map<string, "owner" | "member">;
  direct: Map<ContentKey, Role>;
}

export interface DevContent {
  kind: "space" | "collection";
  id: string;
  title: string;
  parent?: string;
  defaultLevel: DefaultLevel;
  emoji: string;
  visibility: string;
  createdAt: string;
  teams: Map<string, Role>;
  people: Map<string, Role>;
}

export interface DevTeam {
  id: string;
  title: string;
  createdAt: string;
  members: Map<string, "owner" | "member">;
}

export interface Directory {
  organization: { id: string; title: string };
  members: Map<string, DevMember>;
  teams: Map<string, DevTeam>;
  contents: Map<ContentKey, DevContent>;
  sites: Map<string, { id: string; title: string; spaces: string[] }>;
}

interface Line {
  object: string;
  id: string;
  title: string;
  organization: string;
  displayName: string;
  email?: string;
  user?: string;
  team?: string;
  space?: string;
  collection?: string;
  site: string;
  role: Role | null;
  permission: Role;
  parent?: string;
  defaultLevel?: DefaultLevel;
  emoji?: string;
  visibility?: string;
  createdAt: string;
}

/** Reads a snapshot file of one organization and adds `members` people and `spaces` spaces to it. */
export function directory(file: string, grow: { members: number; spaces: number }): Directory {
  const lines: Line[] = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line));
  const all: Directory = {
    organization: { id: "", title: "" },
    members: new Map(),
    teams: new Map(),
    contents: new Map(),
    sites: new Map(),
  };
  const users = new Map<string, Line>();
  // A snapshot's lines may come in any order: what is named goes first.
  for (const line of lines) if (line.object === "user") users.set(line.id, line);
  for (const line of lines) {
    if (line.object === "organization") all.organization = { id: line.id, title: line.title };
    if (line.object === "member") {
      const user = users.get(line.user ?? "");
      if (user) addMember(all, user.id, user.displayName, user.email, line.role);
    }
    if (line.object === "team")
      all.teams.set(line.id, {
        id: line.id,
        title: line.title,
        createdAt: line.createdAt,
        members: new Map(),
      });
    if (line.object === "space" || line.object === "collection")
      addContent(all, { ...line, kind: line.object });
    if (line.object === "site") all.sites.set(line.id, { id: line.id, title: line.title, spaces: [] });
  }
  for (const line of lines) {
    if (line.object === "siteSpace") all.sites.get(line.site)?.spaces.push(line.space ?? "");
    if (line.object === "teamMember")
      join(all, line.team ?? "", line.user ?? "", line.role === ("owner" as string));
    if (line.object === "permission") {
      const key = line.space
        ? contentKey("space", line.space)
        : contentKey("collection", line.collection ?? "");
      give(all, key, line.user, line.team, line.permission);
    }
  }
  growBy(all, grow);
  return all;
}

/** The collections above a content, topmost first. */
export function above(all: Directory, content: DevContent): DevContent[] {
  const path: DevContent[] = [];
  for (let id = content.parent; id !== undefined;) {
    const parent = all.contents.get(contentKey("collection", id));
    if (!parent) break;
    path.unshift(parent);
    id = parent.parent;
  }
  return path;
}

function addMember(
  all: Directory,
  id: string,
  displayName: string,
  email: string | undefined,
  role: Role | null,
) {
  const member: DevMember = { id, displayName, role, teams: new Map(), direct: new Map() };
  if (email !== undefined) member.email = email;
  all.members.set(id, member);
}

function addContent(all: Directory, line: Partial<Line> & { kind: "space" | "collection" }) {
  const content: DevContent = {
    kind: line.kind,
    id: line.id ?? "",
    title: line.title ?? "",
    defaultLevel: line.defaultLevel === undefined ? "inherit" : line.defaultLevel,
    emoji: line.emoji ?? "",
    visibility: line.visibility ?? "private",
    createdAt: line.createdAt ?? "2025-01-01T00:00:00.000Z",
    teams: new Map(),
    people: new Map(),
  };
  if (line.parent !== undefined) content.parent = line.parent;
  all.contents.set(contentKey(content.kind, content.id), content);
}

function give(
  all: Directory,
  key: ContentKey,
  user: string | undefined,
  team: string | undefined,
  role: Role,
) {
  const content = all.contents.get(key);
  if (user !== undefined) {
    content?.people.set(user, role);
    all.members.get(user)?.direct.set(key, role);
  }
  if (team !== undefined) content?.teams.set(team, role);
}

function join(all: Directory, team: string, user: string, owner: boolean) {
  const role = owner ? "owner" : "member";
  all.teams.get(team)?.members.set(user, role);
  all.members.get(user)?.teams.set(team, role);
}

const FIRST =
  "Aisha Bruno Clara Dmitri Elif Femi Greta Hugo Ines Jonas Kira Liam Mina Nadia Otto Petra Rafael Sana Teo Uma Viktor Willa Yara Zoltan".split(
    " ",
  );
const LAST =
  "Abara Berg Castillo Dufour Eriksen Fontaine Greco Haas Ito Jansen Kowalski Lindqvist Moreau Nakamura Okafor Pereira Rossi Silva Tanaka Urban Varga Weber Yilmaz Zhang".split(
    " ",
  );
const TOPIC =
  "Guides Notes Runbook Roadmap FAQ Release Onboarding Research Interviews Security Billing Design Mobile Desktop Search Analytics".split(
    " ",
  );
const MIX: (Role | null)[] = [
  "read",
  "read",
  "read",
  "comment",
  "read",
  "edit",
  "read",
  "comment",
  "read",
  null,
  "read",
  "review",
];

function growBy(all: Directory, grow: { members: number; spaces: number }) {
  const ids = [...all.teams.keys()];
  for (let i = 0; i < grow.members; i++) {
    const first = FIRST[i % 24] ?? "";
    const last = LAST[Math.floor(i / 24) % 24] ?? "";
    const round = Math.floor(i / 576);
    const id = `${first}.${last}${round || ""}`.toLowerCase();
    addMember(all, id, `${first} ${last}`, `${id}@acme.example`, MIX[(i * 7) % 12] ?? null);
    if (i % 53 === 0) join(all, ids[(i / 53) % ids.length] ?? "", id, false);
  }
  for (let i = 0; i < 51; i++) {
    const id = `circle-${i + 1}`;
    all.teams.set(id, {
      id,
      title: `${TOPIC[i % 16]} circle ${i + 1}`,
      createdAt: `2025-03-${10 + (i % 18)}T09:00:00.000Z`,
      members: new Map(),
    });
  }
  for (let i = 0; i < grow.spaces; i++) {
    if (i % 16 === 0)
      addContent(all, {
        kind: "collection",
        id: `area-${i / 16}`,
        title: `Area ${i / 16 + 1}`,
        parent: "product",
        defaultLevel: i % 64 === 0 ? "read" : "inherit",
      });
    const day = `${(i % 27) + 1}`.padStart(2, "0");
    addContent(all, {
      kind: "space",
      id: `spc_${i}`,
      title: `${TOPIC[i % 16]} ${Math.floor(i / 16) + 1}`,
      parent: `area-${Math.floor(i / 16)}`,
      createdAt: `2025-0${(i % 8) + 1}-${day}T08:00:00.000Z`,
    });
  }
  if (!all.contents.has("collection/product"))
    addContent(all, { kind: "collection", id: "product", title: "Product" });
}
