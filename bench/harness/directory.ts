/** What pages and changes are drawn from: the subjects of an organization. */
import { idOf } from "../../src/domain/content.ts";
import { type Lists, lengthOf, MEMBERSHIP, PERMISSION } from "../../src/model/lists.ts";
import { keyOf, memberId, type Model, NOTHING } from "../../src/model/model.ts";
import { accessOn } from "../../src/model/paint.ts";

/** A content, and the number of its direct permissions and of those of teams. */
export interface Holding {
  /** In the model. */
  readonly content: number;
  readonly id: string;
  readonly users: number;
  readonly teams: number;
  /** Whether members without a permission have access, by its own or an inherited default level. */
  readonly open: boolean;
  /** Whether the content is in no collection. */
  readonly alone: boolean;
}

export interface Directory {
  readonly model: Model;
  readonly guests: readonly string[];
  readonly spaces: readonly Holding[];
  readonly collections: readonly Holding[];
  /** The member with the most teams. */
  readonly busiest: string;
}

export function directoryOf(model: Model): Directory {
  const { members, contents } = model;
  const all = Array.from(contents.byKey, (content): Holding & { readonly isSpace: boolean } => ({
    content,
    id: idOf(keyOf(model, content)),
    users: lengthOf(contents.users, content),
    teams: lengthOf(contents.teams, content),
    open: accessOn(model, content).base !== NOTHING,
    alone: (contents.parents[content] ?? -1) < 0,
    isSpace: contents.isSpace[content] === 1,
  }));
  const guests: string[] = [];
  for (const [member, role] of members.roles.entries())
    if (role === NOTHING) guests.push(memberId(model, member));
  return {
    model,
    guests,
    spaces: all.filter(({ isSpace }) => isSpace),
    collections: all.filter(({ isSpace }) => !isSpace),
    busiest: memberId(model, longest(members.teams, members.count)),
  };
}

/** The number of the longest of `count` lists. */
function longest(lists: Lists, count: number): number {
  let found = 0;
  for (let x = 1; x < count; x++) if (lengthOf(lists, x) > lengthOf(lists, found)) found = x;
  return found;
}

/** The id of the user at `index` in the list of direct permissions on a content. */
export function userAt(model: Model, content: number, index: number): string {
  const { at, entries } = model.contents.users;
  return memberId(model, (entries[(at[content] ?? 0) + index] ?? 0) >>> PERMISSION);
}

/** The same of teams, which are listed by id. */
export function teamAt({ contents, teams }: Model, content: number, index: number): string {
  const { at, entries } = contents.teams;
  const list = entries.slice(at[content], at[content + 1]).map((entry) => entry >>> PERMISSION);
  return teams.ids[list.sort()[index] ?? 0] ?? "";
}

/** Whether a member is in a team. */
export function isIn({ members: { teams } }: Model, member: number, team: number): boolean {
  const list = teams.entries.subarray(teams.at[member], teams.at[member + 1]);
  return list.some((entry) => entry >>> MEMBERSHIP === team);
}
