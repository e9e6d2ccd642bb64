/** The rows of an access review: every user and content with an effective role, and why. */
import { decide, type Step, type Subject } from "../domain/access.ts";
import { type ContentKey, contentKey, idOf, kindOf } from "../domain/content.ts";
import { CommandError } from "../domain/error.ts";
import { plain } from "../domain/phrase.ts";
import type { ContentRef, Titles } from "../domain/reason.ts";
import type { Role } from "../domain/role.ts";
import { sentenceOf } from "../domain/sentence.ts";
import type { Person } from "../domain/why.ts";
import { chainOf, chains } from "./chain.ts";
import { decodeContent, posting } from "./codes.ts";
import { statement } from "./engine.ts";
import type { Content } from "./content.ts";
import { ladderOf } from "./levels.ts";
import { type EffectiveEntry, effectiveMembers } from "./listings/effective.ts";
import { merge } from "./merge.ts";
import { personOf } from "./person.ts";
import type { Reading } from "./reading.ts";
import { spacesOfSite } from "./sites.ts";
import { contentTarget, type Target } from "./target.ts";
import { titlesFor } from "./titles.ts";

/** What a report covers; everything where nothing is given. */
export interface ReportScope {
  /** One space. */
  readonly space?: string | undefined;
  /** The spaces of one site. */
  readonly site?: string | undefined;
  /** Exactly this effective role. */
  readonly role?: Role | undefined;
  /** Guests only. */
  readonly guests?: boolean | undefined;
}

export interface ReportRow {
  readonly content: ContentRef;
  /** Titles of the collections above the content, topmost first. */
  readonly path: readonly string[];
  readonly user: Person;
  /** `null` for a guest. */
  readonly organizationRole: Role | null;
  readonly role: Role;
  /** The sentence of `why`. */
  readonly why: string;
}

/** Some rows, and of how many contents all rows have come. */
export interface ReportPart {
  readonly rows: readonly ReportRow[];
  readonly contents: number;
}

/** Contents whose levels are loaded together, and rows that are made together. */
const CONTENTS = 256;
const ROWS = 1000;

/** How many contents a report goes through. Throws a CommandError where the space or the site does not exist. */
export async function countContents(reading: Reading, scope: ReportScope): Promise<number> {
  const named = await namedContents(reading, scope);
  return named?.length ?? reading.at.counts.collections + reading.at.counts.spaces;
}

/**
 * The rows of a report, by content (collections first, each kind by id), then by user id. Memory is bounded,
 * however many there are. Throws a CommandError where the space or the site does not exist.
 */
export async function* reportRows(reading: Reading, scope: ReportScope): AsyncGenerator<ReportPart> {
  let contents = 0;
  for await (const keys of contentBlocks(reading, scope)) {
    const loaded = await chains(reading, keys);
    const titles = await titlesFor(reading, loaded);
    for (const key of keys) {
      const content = loaded.get(key);
      if (content === undefined) throw new Error(`${key} is not in the snapshot.`);
      const path = chainOf(content, loaded)
        .slice(1)
        .map(({ title }) => title)
        .toReversed();
      const target = reportTarget(ladderOf(content, loaded));
      for await (const entries of entriesOf(reading, target, scope)) {
        yield { rows: entries.map((entry) => rowOf(reading, content, path, entry, titles)), contents };
      }
      contents++;
    }
    yield { rows: [], contents };
  }
}

async function namedContents(
  reading: Reading,
  { space, site }: ReportScope,
): Promise<readonly ContentKey[] | undefined> {
  if (space !== undefined) {
    const key = contentKey("space", space);
    if ((await chains(reading, [key])).has(key)) return [key];
    throw absent(reading, "space", space);
  }
  if (site === undefined) return undefined;
  const spaces = await spacesOfSite(reading, site);
  if (spaces === undefined) throw absent(reading, "site", site);
  return spaces;
}

function absent({ at }: Reading, kind: string, id: string): CommandError {
  return new CommandError(`There is no ${kind} ${JSON.stringify(id)} in organization ${at.organization}.`);
}

const NEXT = statement<[id: string]>(
  () => "SELECT id FROM content WHERE snapshot = $1 AND id > $2 ORDER BY id LIMIT $3",
);

async function* contentBlocks(reading: Reading, scope: ReportScope): AsyncGenerator<ContentKey[]> {
  const named = await namedContents(reading, scope);
  if (named !== undefined) {
    for (let start = 0; start < named.length; start += CONTENTS) yield named.slice(start, start + CONTENTS);
    return;
  }
  for (let after = ""; ;) {
    const rows = await reading.read(NEXT, reading.snapshot, after, CONTENTS);
    if (rows.length === 0) return;
    yield rows.map(([id]) => decodeContent(id));
    after = rows.at(-1)?.[0] ?? after;
  }
}

/** What a row tells of how its role was decided. */
interface Found {
  readonly role: Role;
  readonly step: Step;
  readonly member: Subject;
}

function reportTarget(ladder: readonly Content[]): Target<Found> {
  return {
    ...contentTarget(ladder),
    decide(member) {
      let step: Step | undefined;
      const decision = decide(ladder, member, (tried) => (step = tried));
      return decision === undefined || step === undefined ? undefined : { role: decision.role, step, member };
    },
  };
}

async function* entriesOf(
  reading: Reading,
  target: Target<Found>,
  { role, guests }: ReportScope,
): AsyncGenerator<readonly EffectiveEntry<Found>[]> {
  if (guests === true) {
    yield* guestEntries(reading, target, role);
    return;
  }
  for (let after: string | undefined; ;) {
    const { entries, next } = await effectiveMembers(reading, target, { after, limit: ROWS }, role);
    if (entries.length > 0) yield entries;
    if (next === undefined) return;
    after = next;
  }
}

/** Guests are few: goes through them rather than through everyone with a role. */
async function* guestEntries(
  reading: Reading,
  target: Target<Found>,
  role: Role | undefined,
): AsyncGenerator<EffectiveEntry<Found>[]> {
  const guests = { key: posting.memberRole(null), size: reading.at.counts.roles.guest };
  const next = merge(reading, guests.size === 0 ? [] : [guests], target.facts);
  for (let after = ""; ;) {
    const { candidates, upTo } = await next(after, ROWS);
    const entries = candidates.flatMap((candidate) => {
      const found = target.decide(candidate);
      if (found === undefined || (role !== undefined && found.role !== role)) return [];
      return [{ id: candidate.id, document: candidate.document, found }];
    });
    if (entries.length > 0) yield entries;
    if (upTo === undefined) return;
    after = upTo;
  }
}

function rowOf(
  { at }: Reading,
  { content, title }: Content,
  path: readonly string[],
  { id, document, found }: EffectiveEntry<Found>,
  titles: Titles,
): ReportRow {
  const { step, member } = found;
  const user = personOf({ id, role: member.role, document });
  const sentence = sentenceOf(
    {
      subject: content,
      organization: at.title,
      person: user.displayName,
      teams: member.teams,
      step,
      // Told of those without a role alone, and they have no row.
      givenAbove: false,
    },
    titles,
  );
  return {
    content: { kind: kindOf(content), id: idOf(content), title },
    path,
    user,
    organizationRole: member.role,
    role: found.role,
    why: plain(sentence),
  };
}
