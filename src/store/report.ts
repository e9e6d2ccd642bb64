/** The rows of an access review: every user and content with an effective role, and why. */
import { decide, type Step, type Subject } from "../domain/access.ts";
import { idOf, kindOf } from "../domain/content.ts";
import { plain } from "../domain/phrase.ts";
import type { ContentRef, Titles } from "../domain/reason.ts";
import type { Role } from "../domain/role.ts";
import { sentenceOf } from "../domain/sentence.ts";
import type { Person } from "../domain/why.ts";
import type { Candidate, Member } from "./candidates.ts";
import { chainOf, chains } from "./chain.ts";
import { posting } from "./codes.ts";
import type { Content } from "./content.ts";
import { ladderOf } from "./levels.ts";
import { type EffectiveEntry, effectiveMembers } from "./listings/effective.ts";
import { memberOf, subjectOn } from "./members.ts";
import { merge } from "./merge.ts";
import { personOf } from "./person.ts";
import type { Reading } from "./reading.ts";
import { absent, contentBlocks, type ReportScope } from "./report-scope.ts";
import { contentTarget, type Target } from "./target.ts";
import { titlesFor } from "./titles.ts";

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

/** Rows that are made together. */
const ROWS = 1000;

/**
 * The rows of a report, by content (collections first, each kind by id), then by user id. Memory is bounded,
 * however many there are. Throws a CommandError where something that is named does not exist.
 */
export async function* reportRows(reading: Reading, scope: ReportScope): AsyncGenerator<ReportPart> {
  let done = 0;
  const member = scope.user === undefined ? undefined : await memberNamed(reading, scope.user);
  for await (const keys of contentBlocks(reading, scope)) {
    const loaded = await chains(reading, keys);
    const titles = await titlesFor(reading, loaded);
    const ladders = () => [...loaded.values()].map((content) => ladderOf(content, loaded));
    const subject = member === undefined ? undefined : await subjectOn(reading, member, ladders());
    for (const key of keys) {
      const content = loaded.get(key);
      if (content === undefined) throw new Error(`${key} is not in the snapshot.`);
      const path = chainOf(content, loaded)
        .slice(1)
        .map(({ title }) => title)
        .toReversed();
      const target = reportTarget(ladderOf(content, loaded));
      for await (const entries of entriesOf(reading, target, scope, subject)) {
        yield { rows: entries.map((entry) => rowOf(reading, content, path, entry, titles)), contents: done };
      }
      done++;
    }
    yield { rows: [], contents: done };
  }
}

/** The member whose rows are wanted. Throws a CommandError for who is none. */
async function memberNamed(reading: Reading, user: string): Promise<Member> {
  const member = await memberOf(reading, user);
  if (member === undefined) throw absent(reading, "member", user);
  return member;
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
  subject: Candidate | undefined,
): AsyncGenerator<readonly EffectiveEntry<Found>[]> {
  if (subject !== undefined) {
    yield decided(target, [subject], role);
    return;
  }
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
    const entries = decided(target, candidates, role);
    if (entries.length > 0) yield entries;
    if (upTo === undefined) return;
    after = upTo;
  }
}

/** Those of some members who have a role. */
function decided(
  target: Target<Found>,
  candidates: readonly Candidate[],
  role: Role | undefined,
): EffectiveEntry<Found>[] {
  return candidates.flatMap((candidate) => {
    const found = target.decide(candidate);
    if (found === undefined || (role !== undefined && found.role !== role)) return [];
    return [{ id: candidate.id, document: candidate.document, found }];
  });
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
      organization: { id: at.organization, title: at.title },
      person: user,
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
