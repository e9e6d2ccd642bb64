/** Lists users with an effective role, by content, and why they have the role. */
import { decide, type Step } from "../../domain/ladder.ts";
import { idOf, kindOf } from "../../domain/content.ts";
import { type ContentRef, type Titles, plain } from "../../domain/reason.ts";
import { compareIds } from "../../domain/id.ts";
import type { Role } from "../../domain/role.ts";
import { type Person, sentenceOf } from "../../domain/why.ts";
import { chainOf, chains } from "../directory/ancestors.ts";
import type { Content } from "../directory/content.ts";
import { ladderOf } from "../directory/inheritance.ts";
import { type ExplainedEntry, explainedMembers } from "../listings/entries.ts";
import { accessOnLadders, guestSet } from "../listings/subject.ts";
import { type Member, memberOf, subjectOn } from "../directory/members.ts";
import { personOf } from "../directory/person.ts";
import type { Reading } from "../reading.ts";
import type { ReportScope } from "../../domain/scope.ts";
import { absent, contentBlocks } from "./report-scope.ts";
import { titlesFor } from "../directory/titles.ts";

export interface ReportRow {
  readonly content: ContentRef;
  /** The titles of the content's ancestors, topmost first. */
  readonly path: readonly string[];
  readonly user: Person;
  /** `null` for a guest. */
  readonly organizationRole: Role | null;
  readonly role: Role;
  /** The explanation that `rolebook why` prints. */
  readonly why: string;
}

/** Some rows of a report, and the number of contents that are complete so far. */
export interface ReportPart {
  readonly rows: readonly ReportRow[];
  readonly contents: number;
}

const ROWS = 1000;

/**
 * The rows of a report, by content (collections first, each kind by id), then by user id. Reads in bounded memory.
 * Throws a CommandError if the scope names a record that does not exist.
 */
export async function* reportRows(reading: Reading, scope: ReportScope): AsyncGenerator<ReportPart> {
  let done = 0;
  const members = scope.users && (await membersNamed(reading, scope.users));
  for await (const keys of contentBlocks(reading, scope)) {
    const loaded = await chains(reading, keys);
    const titles = await titlesFor(reading, loaded);
    const ladders = () => [...loaded.values()].map((content) => ladderOf(content, loaded));
    const subjects: Member[] = [];
    for (const member of members ?? []) subjects.push(await subjectOn(reading, member, ladders()));
    for (const key of keys) {
      const content = loaded.get(key);
      if (content === undefined) throw new Error(`${key} is not in the revision.`);
      const path = chainOf(content, loaded)
        .slice(1)
        .map(({ title }) => title)
        .toReversed();
      const ladder = ladderOf(content, loaded);
      for await (const entries of entriesOf(reading, ladder, scope, members && subjects)) {
        yield { rows: entries.map((entry) => rowOf(reading, content, path, entry, titles)), contents: done };
      }
      done++;
    }
    yield { rows: [], contents: done };
  }
}

/** Sorted by id. Throws a CommandError for a user who is not a member. */
async function membersNamed(reading: Reading, users: readonly string[]): Promise<Member[]> {
  const members: Member[] = [];
  for (const user of new Set(users)) {
    const member = await memberOf(reading, user);
    if (member === undefined) throw absent(reading, "member", user);
    members.push(member);
  }
  return members.sort((a, b) => compareIds(a.id, b.id));
}

interface Row extends Pick<ExplainedEntry, "id" | "document" | "role" | "memberRole"> {
  readonly step: Step;
}

async function* entriesOf(
  reading: Reading,
  ladder: readonly Content[],
  { role, guests }: ReportScope,
  members: readonly Member[] | undefined,
): AsyncGenerator<readonly Row[]> {
  if (members !== undefined) {
    yield members.flatMap((member) => decided(ladder, member, role));
    return;
  }
  const whole = await accessOnLadders(reading, [ladder]);
  const access = guests === true ? whole.narrowed({ within: [await guestSet(reading)] }) : whole;
  for (let after: string | undefined; ;) {
    const { entries, next } = await explainedMembers(reading, access, { after, limit: ROWS }, role);
    if (entries.length > 0) yield entries.map((entry) => ({ ...entry, step: entry.step() }));
    if (next === undefined) return;
    after = next;
  }
}

/** The row of one member; empty if the member has no role, or another role than `wanted`. */
function decided(ladder: readonly Content[], member: Member, wanted: Role | undefined): Row[] {
  let step: Step | undefined;
  const role = decide(ladder, member, (tried) => (step = tried))?.role;
  if (role === undefined || step === undefined || (wanted !== undefined && role !== wanted)) return [];
  const { id, document, role: memberRole } = member;
  return [{ id, document, role, memberRole, step: { ...step, teams: member.teams } }];
}

function rowOf(
  { at }: Reading,
  { content, title }: Content,
  path: readonly string[],
  { id, document, role, memberRole, step }: Row,
  titles: Titles,
): ReportRow {
  const user = personOf({ id, role: memberRole, document });
  const sentence = sentenceOf(
    {
      subject: content,
      organization: { id: at.organization, title: at.title },
      person: user,
      teams: step.teams ?? [],
      step,
      // Only explanations of members without a role need it, and a report has no rows for these members.
      givenAbove: false,
    },
    titles,
  );
  return {
    content: { kind: kindOf(content), id: idOf(content), title },
    path,
    user,
    organizationRole: memberRole,
    role,
    why: plain(sentence),
  };
}
