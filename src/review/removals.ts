/**
 * How the removals of a decided report are carried out: which direct permissions can go without affecting anybody else
 * (`removalsOf`), which steps remain for the operator to decide on (`Proposals`), and both as a change file and a preview
 * (`removalParts`).
 */
import { directionOf } from "../domain/difference-filter.ts";
import { type ContentKey, idOf, kindOf } from "../domain/content.ts";
import { type Direction, effectText } from "../domain/difference.ts";
import { type Decision, decide, type MemberRights } from "../domain/ladder.ts";
import { plain, reasonOf } from "../domain/reason.ts";
import { type Role, rank, roleOf } from "../domain/role.ts";
import { commandLine, counted } from "../domain/text.ts";
import { type Removal, type Without, writeWithout } from "../domain/without.ts";
import { MEMBERSHIP, PERMISSION } from "../model/lists.ts";
import {
  ADMIN,
  findContent,
  findMember,
  findSite,
  findTeam,
  keyOf,
  type Model,
  NOTHING,
  withAncestors,
} from "../model/model.ts";
import { ROLE } from "../model/code.ts";
import { accessOn } from "../model/paint.ts";
import { saidTo, sitesOfMember } from "../model/sites.ts";
import { personIn, teamTitle, titlesIn } from "../model/records.ts";
import { inherited } from "../model/roles.ts";
import { ladderOn, rightsOn } from "../model/why.ts";
import { peopleIn, sourceIn, withoutSources } from "../model/without.ts";
import type { RowFormat } from "../operations/csv.ts";
import { modelOf } from "../store/models.ts";
import type { Reading } from "../store/reading.ts";
import { giveTurn, workInTurns } from "../store/turns.ts";
import { type DecidedRow, type Decisions, decidedBy, hasFallenBelow } from "./decided-report.ts";

interface ChangedRole {
  readonly content: ContentKey;
  readonly user: string;
  readonly before: Role;
  /** Absent if no role is left. */
  readonly after: Role | undefined;
  /** Whether the report has a row for this user and content that was decided `remove`. */
  readonly isDecided: boolean;
}

/** A row that was decided `remove` and whose user keeps a role on the content that the report covers. */
interface LeftRow {
  readonly row: DecidedRow;
  /** The role that is left, and what gives it. */
  readonly role: Role;
  readonly reason: string;
  /** Why the direct permission on the content stays; absent if there is none or it is removed. */
  readonly stays?: string;
}

/** A member with the teams and the direct permissions that they have, or would have. */
interface Holder {
  readonly member: number;
  readonly id: string;
  readonly teams: readonly number[];
  /** Ranks, by content. */
  readonly direct: ReadonlyMap<number, number>;
  /** The direct permissions on sites: sites, packed with ranks. */
  readonly onSites: readonly number[];
}

function holderIn(model: Model, member: number, id: string): Holder {
  const { members } = model;
  const teams = members.teams.entries.subarray(members.teams.at[member], members.teams.at[member + 1]);
  const { at, entries } = members.permissions;
  return {
    member,
    id,
    teams: Array.from(teams, (entry) => entry >>> MEMBERSHIP),
    direct: new Map(
      Array.from(entries.subarray(at[member], at[member + 1]), (entry) => [
        entry >>> PERMISSION,
        entry & ROLE,
      ]),
    ),
    onSites: sitesOfMember(model, member),
  };
}

/** Without the direct permissions on some contents. */
function without(holder: Holder, removed: ReadonlySet<number>): Holder {
  return { ...holder, direct: new Map([...holder.direct].filter(([content]) => !removed.has(content))) };
}

/** A permission that one user or one team was given on a content or a site. */
type Grant = Extract<Without, { of: "user" | "grant" | "site" }>;

/** Without one direct permission. */
function lacking(model: Model, holder: Holder, grant: Grant): Holder {
  if (grant.of !== "site") return without(holder, new Set([findContent(model, grant.content) ?? -1]));
  const site = findSite(model, grant.site);
  return { ...holder, onSites: holder.onSites.filter((entry) => entry >>> PERMISSION !== site) };
}

/** The ranks of the roles on all contents. */
function ranksOf(model: Model, { member, teams, direct, onSites }: Holder): Uint8Array {
  const own = new Uint8Array(model.contents.count);
  const { at, entries } = model.teams.permissions;
  for (const team of teams) {
    for (const entry of entries.subarray(at[team], at[team + 1])) {
      const x = entry >>> PERMISSION;
      own[x] = Math.max(own[x] ?? NOTHING, entry & ROLE);
    }
  }
  for (const [x, role] of direct) own[x] = role;
  const role = model.members.roles[member] ?? NOTHING;
  return inherited(model, role, own, saidTo(model, { role, teams, onSites }));
}

/** What gives the role on a content; `undefined` for no access. */
function decisionFor(model: Model, holder: Holder, content: number): Decision | undefined {
  const { member, teams, direct, onSites } = holder;
  const given = accessOn(model, content).levels.flatMap((x) => {
    const role = direct.get(x);
    return role === undefined ? [] : [[keyOf(model, x), roleOf(role)] as const];
  });
  const rights: MemberRights = {
    ...rightsOn(model, member, content),
    teams: teams.map((team) => model.teams.ids[team] ?? ""),
    direct: new Map(given),
    directOnSites: new Map(
      onSites.map((entry) => {
        const role = entry & ROLE;
        return [model.sites.ids[entry >>> PERMISSION] ?? "", role === NOTHING ? null : roleOf(role)] as const;
      }),
    ),
  };
  return decide(ladderOn(model, content), rights);
}

interface UserRemovals {
  /** With all direct permissions: before the removals. */
  readonly holder: Holder;
  /** All rows of the user, whatever their decision. */
  readonly rows: readonly DecidedRow[];
  /** The contents on which the direct permission is removed. */
  readonly removed: ReadonlySet<number>;
  readonly changed: readonly ChangedRole[];
  readonly left: readonly LeftRow[];
}

/** What a report decides, and the weakest role that it is about. */
type RemovalDecisions = Pick<Decisions, "rows" | "weakest">;

/**
 * The removals, user by user. A direct permission is removed if the row of its content was decided `remove` and its
 * user has not fallen beneath what the report covers, if the user then has a lower role or none there, and if no row
 * with another decision would change.
 */
function* removalsOf(model: Model, { rows, weakest }: RemovalDecisions): Generator<UserRemovals> {
  const byUser = Map.groupBy(rows, ({ user }) => user);
  for (const [user, own] of byUser) {
    const wanted = own.filter(({ decision }) => decidedBy(decision) === "remove");
    if (wanted.length === 0) continue;
    const member = findMember(model, user);
    if (member === undefined) continue;
    const isOpen = (row: DecidedRow, has: number) =>
      has !== 0 && !hasFallenBelow(row.role, roleOf(has), weakest);
    const asked = { wanted, isOpen, others: decidedOtherwise(model, own) };
    yield { rows: own, ...removalsOfUser(model, holderIn(model, member, user), asked) };
  }
}

/** The decisions other than `remove`, by content. Rows without a decision are left out. */
function decidedOtherwise(model: Model, rows: readonly DecidedRow[]): Map<number, string> {
  const others = rows.filter(({ decision }) => !["remove", "open"].includes(decidedBy(decision)));
  return new Map(
    others.flatMap(({ content, decision }) => {
      const x = findContent(model, content);
      return x === undefined ? [] : [[x, decision.trim()] as const];
    }),
  );
}

interface Asked {
  /** The rows of a user that were decided `remove`. */
  readonly wanted: readonly DecidedRow[];
  /** Whether a row asks for more than is done, if its user has the role of a rank. */
  isOpen(row: DecidedRow, has: number): boolean;
  readonly others: ReadonlyMap<number, string>;
}

function removalsOfUser(
  model: Model,
  holder: Holder,
  { wanted, isOpen, others }: Asked,
): Omit<UserRemovals, "rows"> {
  const rows = wanted.flatMap((row) => {
    const x = findContent(model, row.content);
    return x === undefined ? [] : [{ row, x }];
  });
  const decided = new Set(rows.map(({ x }) => x));
  const isAdmin = model.members.roles[holder.member] === ADMIN;
  const had = ranksOf(model, holder);
  const open = rows.filter(({ row, x }) => isOpen(row, had[x] ?? 0)).map(({ x }) => x);
  const removed = new Set(isAdmin ? [] : open.filter((x) => holder.direct.has(x)));
  // Only from a collection can contents inherit.
  const isBelow = [...removed].some((x) => model.contents.isSpace[x] !== 1);
  const stays = new Map<number, string>();
  // Repeated, because a permission that stays may be why another one must stay.
  for (;;) {
    const then = without(holder, removed);
    const has = ranksOf(model, then);
    const differing = Array.from(isBelow ? had.keys() : decided).filter((x) => had[x] !== has[x]);
    // What is around others comes before them, level by level.
    if (isBelow) differing.sort((a, b) => depthOf(model, a) - depthOf(model, b));
    const kept = [...notLowered(had, has, removed), ...inTheWayOf(model, holder, differing, others)];
    if (kept.length === 0) {
      const left: LeftRow[] = [];
      for (const { row, x } of rows) {
        const decision = isOpen(row, has[x] ?? 0) ? decisionFor(model, then, x) : undefined;
        if (decision === undefined) continue;
        const why = stays.get(x);
        left.push({
          row,
          role: decision.role,
          reason: plain(reasonOf(row.content, decision, titlesIn(model)).because),
          ...(why === undefined ? {} : { stays: why }),
        });
      }
      const changed = differing.map((x): ChangedRole => ({
        content: keyOf(model, x),
        user: holder.id,
        before: roleOf(had[x] ?? 0),
        after: has[x] === 0 ? undefined : roleOf(has[x] ?? 0),
        isDecided: decided.has(x),
      }));
      return { holder, removed, changed, left };
    }
    for (const [x, why] of kept) {
      removed.delete(x);
      stays.set(x, why);
    }
  }
}

function depthOf(model: Model, content: number): number {
  return Array.from(withAncestors(model, content)).length;
}

/** Permissions whose removal would not lower the user's role on their own content. */
function notLowered(
  had: Uint8Array,
  has: Uint8Array,
  removed: ReadonlySet<number>,
): (readonly [number, string])[] {
  return [...removed].flatMap((x) => {
    const role = has[x] ?? 0;
    return role < (had[x] ?? 0) ? [] : [[x, `without it the role is ${roleOf(role)}`] as const];
  });
}

/** Permissions whose removal would change a row with another decision. */
function inTheWayOf(
  model: Model,
  holder: Holder,
  differing: readonly number[],
  others: ReadonlyMap<number, string>,
): (readonly [number, string])[] {
  return differing.flatMap((x) => {
    const decision = others.get(x);
    const source = decision === undefined ? undefined : decisionFor(model, holder, x)?.level?.content;
    const at = source === undefined ? undefined : findContent(model, source);
    return at === undefined
      ? []
      : [[at, `it gives the role on ${keyOf(model, x)} too: ${decision}`] as const];
  });
}

/** A step that the operator must decide on, because it may affect more than the role in the row. */
interface Proposal {
  /** "take away team Docs’s review on collection Handbook". */
  readonly step: string;
  /** How many people the step alone affects, in words. */
  readonly effect: string;
  /** The arguments of `rolebook without` that show more; absent if it cannot show this step. */
  readonly without?: readonly string[];
}

/** Makes the proposals for one report. The effect of a step is counted once, also if several rows need the step. */
class Proposals {
  readonly #model: Model;
  readonly #weakest: Role | undefined;
  readonly #effects = new Map<string, Promise<string>>();
  /** The proposed steps that affect other people too, for {@link together}. */
  readonly #removed = new Map<string, Removal>();

  constructor(model: Model, weakest: Role | undefined) {
    this.#model = model;
    this.#weakest = weakest;
  }

  /**
   * The steps that leave the member without a role on the content, or with one that the report does not cover, if they
   * are taken one after the other.
   */
  async for(holder: Holder, { content, role }: DecidedRow): Promise<Proposal[]> {
    const model = this.#model;
    const x = findContent(model, content);
    if (x === undefined) return [];
    const proposals: Proposal[] = [];
    for (let left = holder; ;) {
      const decision = decisionFor(model, left, x);
      if (decision === undefined || hasFallenBelow(role, decision.role, this.#weakest)) return proposals;
      const { rule, level, site, team } = decision;
      if (rule === "direct" && level !== undefined) {
        const user = holder.id;
        const grant: Grant =
          site === undefined
            ? { of: "user", user, content: level.content }
            : { of: "site", site, what: { user } };
        proposals.push(this.#direct(holder, grant));
        left = lacking(model, left, grant);
      } else if (rule === "team" && level !== undefined && team !== undefined) {
        proposals.push(this.#leaving(holder, team, content));
        proposals.push(
          await this.#grant(
            site === undefined
              ? { of: "grant", team, content: level.content }
              : { of: "site", site, what: { team } },
          ),
        );
        left = leaving(model, left, team);
      } else {
        proposals.push(rule === "admin" ? this.#anotherRole(holder) : await this.#closing(content));
        return proposals;
      }
    }
  }

  /**
   * The effect of all proposed team grants and default levels together, when the direct permissions in `gone` are
   * removed already; `undefined` if fewer than two steps were proposed.
   */
  async together(gone: readonly Removal[]): Promise<Proposal | undefined> {
    const closed = [...this.#removed.values()].filter(({ of }) => of === "closing").length;
    const grants = this.#removed.size - closed;
    if (grants + closed < 2) return undefined;
    const steps = [
      ...(grants === 0 ? [] : [`take away ${counted(grants, "permission")} of teams`]),
      ...(closed === 0 ? [] : [`close ${counted(closed, "content")}`]),
    ];
    const effect = await this.#effect([...this.#removed.values()], gone);
    return { step: `${steps.join(" and ")}, as proposed`, effect };
  }

  async #effect(removed: readonly Removal[], gone?: readonly Removal[]): Promise<string> {
    const whatIf = await workInTurns(withoutSources(this.#model, removed, gone));
    return effectText((await workInTurns(peopleIn(whatIf))).counts);
  }

  #direct(holder: Holder, grant: Grant): Proposal {
    return {
      step: `take away ${this.#named(grant)}`,
      effect: this.#onOne(holder, lacking(this.#model, holder, grant)),
      without: [writeWithout(grant)],
    };
  }

  #leaving(holder: Holder, team: string, content: ContentKey): Proposal {
    const found = findTeam(this.#model, team);
    const title = found === undefined ? team : teamTitle(this.#model, found);
    return {
      step: `remove ${this.#nameOf(holder)} from team ${title}`,
      effect: this.#onOne(holder, leaving(this.#model, holder, team)),
      without: [writeWithout({ of: "team", team }), holder.id, content],
    };
  }

  async #grant(grant: Grant): Promise<Proposal> {
    const spelt = writeWithout(grant);
    return {
      step: `take away ${this.#named(grant)}`,
      effect: await this.#effectOf(spelt, grant),
      without: [spelt],
    };
  }

  async #closing(content: ContentKey): Promise<Proposal> {
    return {
      step: `close ${content} by the default level null, and give those who need it a permission`,
      effect: await this.#effectOf(`close ${content}`, { of: "closing", content }),
    };
  }

  #anotherRole(holder: Holder): Proposal {
    return {
      step: `give ${this.#nameOf(holder)} another organization role than admin`,
      effect: "nobody else’s role changes; an organization admin has admin on every content",
    };
  }

  /** What changes if only one member is affected, in words. */
  #onOne(holder: Holder, then: Holder): string {
    const [had, has] = [ranksOf(this.#model, holder), ranksOf(this.#model, then)];
    const contents = had.reduce((sum, rank, x) => sum + (rank === has[x] ? 0 : 1), 0);
    const where = counted(contents, "content");
    return `nobody else’s role changes; ${this.#nameOf(holder)}’s changes on ${where}`;
  }

  #nameOf({ member }: Holder): string {
    return personIn(this.#model, member).displayName;
  }

  #named(without: Without): string {
    const source = sourceIn(this.#model, without);
    return source === undefined ? writeWithout(without) : plain(source.phrase);
  }

  #effectOf(key: string, removal: Removal): Promise<string> {
    this.#removed.set(key, removal);
    const known = this.#effects.get(key) ?? this.#effect([removal]);
    this.#effects.set(key, known);
    return known;
  }
}

/** Without the membership in a team. */
function leaving(model: Model, holder: Holder, team: string): Holder {
  const left = findTeam(model, team);
  return { ...holder, teams: holder.teams.filter((each) => each !== left) };
}

export interface PreviewLine {
  /**
   * The direction of a changed role. `left` is a row that was decided `remove` and whose user keeps a role; `proposal`
   * is a further step for the `left` row above it. `together`, which belongs to no row, takes all proposals for teams
   * and default levels at once.
   */
  readonly what: Direction | "left" | "proposal" | "together";
  readonly content: ContentKey | "";
  readonly user: string;
  /** Roles; empty for no role. */
  readonly before: string;
  readonly after: string;
  /** The reason for the role, or the step that is proposed. */
  readonly note: string;
  /** Of a proposal: how many people it affects. */
  readonly effect: string;
  /** Of a proposal: a command that shows more. */
  readonly command: string;
}

export interface RemovalPart {
  readonly records: readonly object[];
  readonly lines: readonly PreviewLine[];
}

/**
 * The change file for a report's rows, as of the revision of `reading`, user by user. The last part has the effect of
 * all proposals together.
 */
export async function* removalParts(
  reading: Reading,
  decisions: RemovalDecisions,
): AsyncGenerator<RemovalPart> {
  const model = await modelOf(reading);
  const proposals = new Proposals(model, decisions.weakest);
  const { organization, revision } = reading.at;
  // The file names the revision as its base: at a later one, a removal might change other roles.
  yield { records: [{ object: "changes", organization, base: revision }], lines: [] };
  let records = 1;
  const gone: Removal[] = [];
  for (const { holder, rows: own, removed, changed, left } of removalsOf(model, decisions)) {
    const user = holder.id;
    const reviewed = new Set(own.map(({ content }) => content));
    const lines = changed.map((each) => changedLine(each, reviewed));
    const then = without(holder, removed);
    for (const each of left) {
      lines.push(leftLine(each));
      for (const could of await proposals.for(then, each.row)) {
        lines.push(proposalLine("proposal", each.row, could));
      }
    }
    const contents = Array.from(removed, (x) => keyOf(model, x));
    for (const content of contents) gone.push({ of: "user", user, content });
    records += removed.size;
    yield { records: contents.map((content) => removedPermission(content, { user })), lines };
    await giveTurn();
  }
  const together = await proposals.together(gone);
  yield {
    records: [{ object: "end", records }],
    lines: together === undefined ? [] : [proposalLine("together", undefined, together)],
  };
}

/** The lines of a change file. */
export function changeLines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

function changedLine(
  { content, user, before, after, isDecided }: ChangedRole,
  reviewed: ReadonlySet<ContentKey>,
): PreviewLine {
  const direction = directionOf(rank(before), after === undefined ? 0 : rank(after));
  if (direction === undefined) throw new Error(`The role of ${user} on ${content} does not change.`);
  const note = isDecided
    ? "decided"
    : reviewed.has(content)
      ? "in the report, undecided"
      : "not in the report";
  return { what: direction, content, user, before, after: after ?? "", note, effect: "", command: "" };
}

function leftLine({ row: { content, user }, role, reason, stays }: LeftRow): PreviewLine {
  const note = [reason, ...(stays === undefined ? [] : [stays])].join("; ");
  return { what: "left", content, user, before: role, after: role, note, effect: "", command: "" };
}

function proposalLine(
  what: "proposal" | "together",
  row: DecidedRow | undefined,
  { step, effect, without }: Proposal,
): PreviewLine {
  // An id that begins with "-" would be read as an option.
  const dashes = without?.some((word) => word.startsWith("-")) === true ? ["--"] : [];
  const command = without === undefined ? "" : commandLine("rolebook", "without", ...dashes, ...without);
  const { content = "", user = "" } = row ?? {};
  return { what, content, user, before: "", after: "", note: step, effect, command };
}

const COLUMNS = ["what", "content", "user", "before", "after", "note", "effect", "command"] as const;

export const PREVIEW: RowFormat<PreviewLine> = {
  table: COLUMNS,
  cells: cellsOf,
  csv: COLUMNS,
  record: cellsOf,
  object: ({ content, ...line }) =>
    content === "" ? line : { ...line, content: { kind: kindOf(content), id: idOf(content) } },
};

function cellsOf(line: PreviewLine): string[] {
  return COLUMNS.map((column) => line[column]);
}

type Grantee = { readonly user: string } | { readonly team: string };

/** The record of a change file that removes a permission (docs/changes.md). */
export function removedPermission(content: ContentKey, grantee: Grantee): object {
  return { object: "permission", [kindOf(content)]: idOf(content), ...grantee, removed: true };
}
