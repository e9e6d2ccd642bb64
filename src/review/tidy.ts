/** Finds what can be tidied up: redundant permissions, then teams, members, permissions and contents that nobody uses. */
import { type ContentKey, contentKey, idOf, kindOf } from "../domain/content.ts";
import { type Finding } from "../domain/findings.ts";
import { compareIds } from "../domain/id.ts";
import { isOpen } from "../domain/ladder.ts";
import { contents, headsIn, ladderOf } from "../store/directory/contents.ts";
import { wholeMembers } from "../store/directory/members.ts";
import { personOf } from "../store/directory/person.ts";
import { titlesFor } from "../store/directory/titles.ts";
import { statement } from "../store/engine/engine.ts";
import { effectiveMembers } from "../store/listings/entries.ts";
import { accessGivenOn } from "../store/listings/subject.ts";
import { universeIndex } from "../store/memory/universe.ts";
import type { Reading } from "../store/reading.ts";
import { blocksOf } from "../store/report.ts";
import { holds } from "../store/schema/as-of.ts";
import { MEMBERS } from "../store/schema/set-names.ts";
import { inBlocks } from "../store/turns.ts";
import { evaluate } from "./check.ts";
import { redundantOn } from "./redundant.ts";
import { resolveRules } from "./resolve.ts";
import type { AccessRule } from "./rule.ts";

/**
 * Everything to tidy up, in parts: permissions by content, then teams, members and contents. All `redundant`
 * permissions can be removed together without changing an effective role. `progress` receives how many contents are
 * done.
 */
export async function* tidy(
  reading: Reading,
  progress: (contents: number) => void = () => {},
): AsyncGenerator<readonly Finding[]> {
  let done = 0;
  let open = false;
  for await (const keys of blocksOf(reading, undefined)) {
    const loaded = await contents(reading, keys);
    const heads = headsIn(loaded.values(), await universeIndex(reading, MEMBERS));
    yield* redundantOn(reading, keys, loaded, heads);
    open ||= keys.some((key) => {
      const content = loaded.get(key);
      return content !== undefined && isOpen(ladderOf(content, loaded));
    });
    done += keys.length;
    progress(done);
  }
  yield* onDeletedSpaces(reading);
  yield await emptyTeams(reading);
  yield await membersWithoutAccess(reading, { any: done > 0, open });
  yield await unreached(reading);
}

/** The rule that every content has somebody with a role who is not an organization admin. */
const REACHED: AccessRule = {
  words: "Somebody but admins reaches it",
  line: 1,
  definition: "",
  who: { kind: "everybody but", of: { kind: "role", role: "admin" } },
  what: { kind: "everything" },
  how: { kind: "at least", number: 1 },
  from: 1,
  to: 6,
  direct: false,
  exceptions: [],
};

async function unreached(reading: Reading): Promise<Finding[]> {
  const resolved = await resolveRules(reading, [REACHED], "");
  const [verdict] = await evaluate(reading, resolved, Number.POSITIVE_INFINITY);
  const keys = (verdict?.listed ?? []).flatMap(({ key }) => key ?? []);
  const findings: Finding[] = [];
  for (const key of keys) {
    const title = (await contents(reading, [key])).get(key)?.title ?? "";
    const content = { kind: kindOf(key), id: idOf(key), title };
    findings.push({ kind: "unreached", content, reason: "nobody but organization admins has a role on it" });
  }
  return findings;
}

/** How many members or permissions are read at a time. */
const PAGE = 1000;

const EMPTY_TEAMS = statement<[id: string, title: string]>(
  () => `SELECT t.id, t.title FROM team t WHERE ${holds("t")} AND t.members = 0 ORDER BY t.id`,
);

async function emptyTeams(reading: Reading): Promise<Finding[]> {
  const rows = await reading.read(EMPTY_TEAMS, ...reading.asOf);
  return rows.map(([id, title]) => ({ kind: "empty-team", team: { id, title }, reason: "nobody is in it" }));
}

const GIVEN_NOTHING = statement<[id: string]>(
  () => `
    SELECT m.id FROM member m WHERE ${holds("m")} AND m.grants = '' AND (m.role = 0 OR $3 = 0)`,
);
const GIVEN_TEAMS = statement<[team: string]>(
  () => `SELECT DISTINCT g.team FROM team_grant g WHERE ${holds("g")}`,
);

/**
 * Members without a role on any content: they and their teams have no permission, and they are guests, or every content
 * is closed. `contents` says whether there are contents, and whether one is not closed.
 */
async function membersWithoutAccess(
  reading: Reading,
  contents: { readonly any: boolean; readonly open: boolean },
): Promise<Finding[]> {
  const given = new Set((await reading.read(GIVEN_TEAMS, ...reading.asOf)).map(([team]) => team));
  const rows = await reading.read(GIVEN_NOTHING, ...reading.asOf, contents.open ? 1 : 0);
  const findings: Finding[] = [];
  const ids = rows.map(([id]) => id).sort(compareIds);
  for await (const some of inBlocks(ids, PAGE)) {
    const members = await wholeMembers(reading, some);
    for (const member of some.flatMap((id) => members.get(id) ?? [])) {
      const { role, teams } = member;
      if ((role === "admin" && contents.any) || teams.some((team) => given.has(team))) continue;
      findings.push({ kind: "no-access", user: personOf(member), reason: reasonOf(role, teams.length) });
    }
  }
  return findings;
}

function reasonOf(role: string | null, teams: number): string {
  const who = role === null ? "a guest" : `role ${role}, which reaches no content`;
  const through =
    teams === 0 ? "in no team" : `${teams === 1 ? "whose team holds" : `whose ${teams} teams hold`} none`;
  return `${who}, without a permission and ${through}`;
}

const DELETED = statement<[doc: string]>(
  ({ contains }) => `
    SELECT s.doc FROM space s WHERE ${holds("s")} AND ${contains("s.doc", "$3")} ORDER BY s.position`,
);

/** For each deleted space, direct permissions come first. */
async function* onDeletedSpaces(reading: Reading): AsyncGenerator<Finding[]> {
  for (const [doc] of await reading.read(DELETED, ...reading.asOf, '"deletedAt":')) {
    const { id, title, deletedAt }: { id: string; title: string; deletedAt: string } = JSON.parse(doc);
    const content = { kind: "space", id, title } as const;
    const reason = `the space was deleted on ${deletedAt.slice(0, 10)}`;
    const key: ContentKey = contentKey("space", id);
    const query = await accessGivenOn(reading, key);
    if (query === undefined) continue;
    for (let after: string | undefined; ;) {
      const { entries, next } = await effectiveMembers(reading, query, { after, limit: PAGE });
      yield entries.map((entry) => ({
        kind: "deleted",
        content,
        user: personOf({ ...entry, role: entry.memberRole }),
        role: entry.role,
        reason,
      }));
      if (next === undefined) break;
      after = next;
    }
    const loaded = await contents(reading, [key]);
    const titles = await titlesFor(reading, loaded);
    const teams = loaded.get(key)?.teams ?? [];
    yield [...teams].map(([team, role]) => ({
      kind: "deleted",
      content,
      team: { id: team, title: titles.team(team) },
      role,
      reason,
    }));
  }
}
