/**
 * How the removals of a decided report are carried out: which direct permissions can go without affecting anybody else
 * (`removalsOf`), which steps remain for the operator to decide on (`Proposals`), and both as a change file and a preview
 * (`removalParts`).
 */
import { directionOf } from "../domain/difference-filter.ts";
import { type ContentKey, idOf, kindOf } from "../domain/content.ts";
import { type Direction, effectText } from "../domain/difference.ts";
import { decide } from "../domain/ladder.ts";
import { plain } from "../domain/reason.ts";
import { type Role, rank, roleOf } from "../domain/role.ts";
import { commandLine, counted } from "../domain/text.ts";
import { type Removal, type Without, memberWithout, writeWithout } from "../domain/without.ts";
import { findContent } from "../model/model.ts";
import { ladderOn } from "../model/why.ts";
import type { RowFormat } from "../operations/csv.ts";
import { withAncestors, ladderFor, ladderOf } from "../store/directory/contents.ts";
import { type Member, wholeMembers } from "../store/directory/members.ts";
import { personOf } from "../store/directory/person.ts";
import { teamNodes } from "../store/directory/teams.ts";
import type { LeftOut } from "../store/listings/palette.ts";
import { peopleWithout, sourceOf } from "../store/listings/without.ts";
import { modelOf } from "../store/models.ts";
import type { Reading } from "../store/reading.ts";
import { ContentTree } from "../store/revisions/diff/content-tree.ts";

import { type DecidedRow, type Decisions, decidedBy, hasFallenBelow } from "./decided-report.ts";
import { reasonFor } from "./outcomes.ts";

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

interface UserRemovals {
  /** With all direct permissions: before the removals. */
  readonly member: Member;
  /** All rows of the user, whatever their decision. */
  readonly rows: readonly DecidedRow[];
  /** The contents on which the direct permission is removed. */
  readonly removed: ReadonlySet<ContentKey>;
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
async function* removalsOf(
  reading: Reading,
  { rows, weakest }: RemovalDecisions,
  tree: ContentTree,
): AsyncGenerator<UserRemovals> {
  const byUser = Map.groupBy(rows, ({ user }) => user);
  for (const [user, own] of byUser) {
    const wanted = own.filter(({ decision }) => decidedBy(decision) === "remove");
    if (wanted.length === 0) continue;
    const member = (await wholeMembers(reading, [user])).get(user);
    if (member === undefined) continue;
    await tree.learn([member]);
    const isOpen = (row: DecidedRow, has: number) =>
      has !== 0 && !hasFallenBelow(row.role, roleOf(has), weakest);
    const asked = { wanted, isOpen, others: decidedOtherwise(own) };
    yield { rows: own, ...(await removalsOfUser(reading, tree, member, asked)) };
  }
}

/** The decisions other than `remove`, by content. Rows without a decision are left out. */
function decidedOtherwise(rows: readonly DecidedRow[]): Map<ContentKey, string> {
  const others = rows.filter(({ decision }) => !["remove", "open"].includes(decidedBy(decision)));
  return new Map(others.map(({ content, decision }) => [content, decision.trim()]));
}

interface Asked {
  /** The rows of a user that were decided `remove`. */
  readonly wanted: readonly DecidedRow[];
  /** Whether a row asks for more than is done, if its user has the role of a rank. */
  isOpen(row: DecidedRow, has: number): boolean;
  readonly others: ReadonlyMap<ContentKey, string>;
}

async function removalsOfUser(
  reading: Reading,
  tree: ContentTree,
  member: Member,
  { wanted, isOpen, others }: Asked,
): Promise<Omit<UserRemovals, "rows">> {
  const decided = new Set(wanted.map(({ content }) => content));
  const isAdmin = member.role === "admin";
  const had = ranksOf(tree, member);
  const open = wanted.filter((row) => isOpen(row, had(row.content))).map(({ content }) => content);
  const removed = new Set(isAdmin ? [] : open.filter((content) => member.direct.has(content)));
  // Only from a collection can contents inherit.
  const isBelow = [...removed].some((content) => kindOf(content) === "collection");
  const concerned = isBelow ? tree.keys : [...decided];
  const stays = new Map<ContentKey, string>();
  // Repeated, because a permission that stays may be why another one must stay.
  for (;;) {
    const has = ranksOf(tree, without(member, removed));
    const changed = changedRoles(concerned, had, has, member.id, decided);
    const kept = [...notLowered(had, has, removed), ...(await inTheWayOf(reading, member, changed, others))];
    if (kept.length === 0) {
      const then = without(member, removed);
      const left: LeftRow[] = [];
      for (const row of wanted) {
        const isLeft = isOpen(row, has(row.content));
        const reason = isLeft ? await reasonOf(reading, then, row.content) : undefined;
        if (reason === undefined) continue;
        const why = stays.get(row.content);
        left.push({
          row,
          role: roleOf(has(row.content)),
          reason,
          ...(why === undefined ? {} : { stays: why }),
        });
      }
      return { member, removed, changed, left };
    }
    for (const [content, why] of kept) {
      removed.delete(content);
      stays.set(content, why);
    }
  }
}

/** The rank of a role; 0 for no role. */
type RankOn = (content: ContentKey) => number;

function ranksOf(tree: ContentTree, member: Member): RankOn {
  const ranks = tree.ranksOf(member);
  return (content) => ranks[tree.numberOf(content) ?? -1] ?? 0;
}

/** What gives a member's role, in words; `undefined` if there is no role. */
async function reasonOf(reading: Reading, member: Member, content: ContentKey): Promise<string | undefined> {
  const model = await modelOf(reading);
  const found = findContent(model, content);
  const decision = found === undefined ? undefined : decide(ladderOn(model, found), member);
  return decision && reasonFor(model, content, decision);
}

function without(member: Member, removed: ReadonlySet<ContentKey>): Member {
  return { ...member, direct: new Map([...member.direct].filter(([content]) => !removed.has(content))) };
}

function changedRoles(
  concerned: readonly ContentKey[],
  had: RankOn,
  has: RankOn,
  user: string,
  decided: ReadonlySet<ContentKey>,
): ChangedRole[] {
  return concerned.flatMap((content): ChangedRole[] => {
    const [before, after] = [had(content), has(content)];
    if (before === after) return [];
    const role = after === 0 ? undefined : roleOf(after);
    return [{ content, user, before: roleOf(before), after: role, isDecided: decided.has(content) }];
  });
}

/** Permissions whose removal would not lower the user's role on their own content. */
function notLowered(
  had: RankOn,
  has: RankOn,
  removed: ReadonlySet<ContentKey>,
): (readonly [ContentKey, string])[] {
  return [...removed].flatMap((content) =>
    has(content) < had(content) ? [] : [[content, `without it the role is ${roleOf(has(content))}`] as const],
  );
}

/** Permissions whose removal would change a row with another decision. */
async function inTheWayOf(
  reading: Reading,
  member: Member,
  changed: readonly ChangedRole[],
  others: ReadonlyMap<ContentKey, string>,
): Promise<(readonly [ContentKey, string])[]> {
  const found: (readonly [ContentKey, string])[] = [];
  for (const { content } of changed) {
    const decision = others.get(content);
    const ladder = decision === undefined ? undefined : await ladderFor(reading, content);
    const source = ladder === undefined ? undefined : decide(ladder, member)?.level?.content;
    if (source !== undefined) found.push([source, `it gives the role on ${content} too: ${decision}`]);
  }
  return found;
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
  readonly #reading: Reading;
  readonly #tree: ContentTree;
  readonly #weakest: Role | undefined;
  readonly #effects = new Map<string, Promise<string>>();
  /** The proposed steps that affect other people too, for {@link together}. */
  readonly #removed = new Map<string, Removal>();

  constructor(reading: Reading, tree: ContentTree, weakest: Role | undefined) {
    this.#reading = reading;
    this.#tree = tree;
    this.#weakest = weakest;
  }

  /**
   * The steps that leave the member without a role on the content, or with one that the report does not cover, if they
   * are taken one after the other.
   */
  async for(member: Member, { content, role }: DecidedRow): Promise<Proposal[]> {
    const loaded = await withAncestors(this.#reading, [content]);
    const start = loaded.get(content);
    if (start === undefined) return [];
    const ladder = ladderOf(start, loaded);
    const proposals: Proposal[] = [];
    for (let left = member; ;) {
      const decision = decide(ladder, left);
      if (decision === undefined || hasFallenBelow(role, decision.role, this.#weakest)) return proposals;
      const { rule, level, team } = decision;
      if (rule === "direct" && level !== undefined) {
        proposals.push(await this.#direct(member, level.content));
        const others = [...left.direct].filter(([key]) => key !== level.content);
        left = { ...left, direct: new Map(others) };
      } else if (rule === "team" && level !== undefined && team !== undefined) {
        proposals.push(await this.#leaving(member, team, content));
        proposals.push(await this.#grant(team, level.content));
        left = { ...left, teams: left.teams.filter((each) => each !== team) };
      } else {
        proposals.push(rule === "admin" ? adminProposal(member) : await this.#closing(content));
        return proposals;
      }
    }
  }

  /**
   * The effect of all proposed team grants and default levels together, when the direct permissions in `gone` are
   * removed already; `undefined` if fewer than two steps were proposed.
   */
  async together(gone: LeftOut): Promise<Proposal | undefined> {
    const grants = [...this.#removed.values()].filter(({ of }) => of === "grant").length;
    const closed = this.#removed.size - grants;
    if (grants + closed < 2) return undefined;
    const steps = [
      ...(grants === 0 ? [] : [`take away ${counted(grants, "permission")} of teams`]),
      ...(closed === 0 ? [] : [`close ${counted(closed, "content")}`]),
    ];
    const { counts } = await peopleWithout(this.#reading, [...this.#removed.values()], { gone });
    return { step: `${steps.join(" and ")}, as proposed`, effect: effectText(counts) };
  }

  async #direct(member: Member, content: ContentKey): Promise<Proposal> {
    const without: Without = { of: "user", user: member.id, content };
    return {
      step: `take away ${await this.#named(without)}`,
      effect: this.#onOne(member, memberWithout(member.id, member, [without])),
      without: [writeWithout(without)],
    };
  }

  async #leaving(member: Member, team: string, content: ContentKey): Promise<Proposal> {
    const title = (await teamNodes(this.#reading, [team])).get(team)?.title ?? team;
    const without: Without = { of: "team", team };
    return {
      step: `remove ${personOf(member).displayName} from team ${title}`,
      effect: this.#onOne(member, memberWithout(member.id, member, [without])),
      without: [writeWithout(without), member.id, content],
    };
  }

  async #grant(team: string, content: ContentKey): Promise<Proposal> {
    const without: Without = { of: "grant", team, content };
    const spelt = writeWithout(without);
    return {
      step: `take away ${await this.#named(without)}`,
      effect: await this.#effectOf(spelt, without),
      without: [spelt],
    };
  }

  async #closing(content: ContentKey): Promise<Proposal> {
    return {
      step: `close ${content} by the default level null, and give those who need it a permission`,
      effect: await this.#effectOf(`close ${content}`, { of: "closing", content }),
    };
  }

  /** What changes if only one member is affected, in words. */
  #onOne(member: Member, then: Member): string {
    const [had, has] = [this.#tree.ranksOf(member), this.#tree.ranksOf(then)];
    const contents = had.reduce((sum, rank, number) => sum + (rank === has[number] ? 0 : 1), 0);
    const where = counted(contents, "content");
    return `nobody else’s role changes; ${personOf(member).displayName}’s changes on ${where}`;
  }

  async #named(without: Without): Promise<string> {
    const source = await sourceOf(this.#reading, without);
    return source === undefined ? writeWithout(without) : plain(source.phrase);
  }

  #effectOf(key: string, removal: Removal): Promise<string> {
    this.#removed.set(key, removal);
    const known =
      this.#effects.get(key) ??
      peopleWithout(this.#reading, [removal]).then(({ counts }) => effectText(counts));
    this.#effects.set(key, known);
    return known;
  }
}

function adminProposal(member: Member): Proposal {
  return {
    step: `give ${personOf(member).displayName} another organization role than admin`,
    effect: "nobody else’s role changes; an organization admin has admin on every content",
  };
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
  const tree = await ContentTree.of(reading);
  const proposals = new Proposals(reading, tree, decisions.weakest);
  const { organization, revision } = reading.at;
  // The file names the revision as its base: at a later one, a removal might change other roles.
  yield { records: [{ object: "changes", organization, base: revision }], lines: [] };
  let records = 1;
  const gone = new Map<ContentKey, number[]>();
  for await (const { member, rows: own, removed, changed, left } of removalsOf(reading, decisions, tree)) {
    const reviewed = new Set(own.map(({ content }) => content));
    const lines = changed.map((each) => changedLine(each, reviewed));
    const then = without(member, removed);
    for (const each of left) {
      lines.push(leftLine(each));
      for (const could of await proposals.for(then, each.row)) {
        lines.push(proposalLine("proposal", each.row, could));
      }
    }
    for (const content of removed) {
      const positions = gone.get(content) ?? [];
      positions.push(member.position);
      gone.set(content, positions);
    }
    records += removed.size;
    yield { records: [...removed].map((content) => removedPermission(content, { user: member.id })), lines };
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
