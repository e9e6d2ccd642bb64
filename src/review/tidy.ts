/** Finds what can be tidied up: redundant permissions, then teams, members, permissions and contents that nobody uses. */
import type { Finding } from "../domain/findings.ts";
import { roleOf } from "../domain/role.ts";
import { lengthOf, MEMBERSHIP, PERMISSION } from "../model/lists.ts";
import { givenOn } from "../model/members.ts";
import { ADMIN, type Model, NOTHING, organizationRole } from "../model/model.ts";
import { ROLE } from "../model/code.ts";
import { accessOn } from "../model/paint.ts";
import { holderOf, saidTo } from "../model/sites.ts";
import { contentRef, personIn, teamRef } from "../model/records.ts";
import { byCreation } from "../model/spaces.ts";
import { textOf } from "../model/texts.ts";
import { modelOf } from "../store/models.ts";
import type { Reading } from "../store/reading.ts";
import { giveTurn, workInTurns } from "../store/turns.ts";
import { evaluate } from "./check.ts";
import { examine, redundantOn } from "./redundant.ts";
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
  const model = await modelOf(reading);
  const examined = await workInTurns(examine(model, progress));
  for (const content of model.contents.byKey) yield* given(redundantOn(model, content, examined));
  for (const space of byCreation(model).order) yield* given(onDeletedSpace(model, space));
  yield emptyTeams(model);
  yield* given(membersWithoutAccess(model));
  yield await workInTurns(unreached(model));
}

/** Gives others their turn between parts, and where a work has none. */
async function* given(parts: Iterable<readonly Finding[] | undefined>): AsyncGenerator<readonly Finding[]> {
  for (const part of parts) {
    if (part !== undefined) yield part;
    await giveTurn();
  }
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

function* unreached(model: Model): Generator<void, Finding[]> {
  const everything = new Uint8Array(model.contents.count).fill(1);
  const rule = { rule: REACHED, gone: [], scope: everything, exceptions: [], counting: [] };
  const [verdict] = yield* evaluate(model, [rule], Number.POSITIVE_INFINITY);
  const reason = "nobody but organization admins has a role on it";
  return (verdict?.listed ?? []).flatMap(({ content }) =>
    content === undefined ? [] : [{ kind: "unreached", content: contentRef(model, content), reason }],
  );
}

function emptyTeams(model: Model): Finding[] {
  const { count, members } = model.teams;
  const empty = Array.from({ length: count }, (_, team) => team).filter(
    (team) => lengthOf(members, team) === 0,
  );
  return empty.map((team) => ({ kind: "empty-team", team: teamRef(model, team), reason: "nobody is in it" }));
}

/** How many members are looked at until others get a turn. */
const MEMBERS_A_TURN = 10_000;

/**
 * Members without a role on any content: they and their teams have no permission there, what sites say gives them none,
 * and they are guests, or every content is closed.
 */
function* membersWithoutAccess(model: Model): Generator<readonly Finding[] | undefined> {
  const { members, teams, contents } = model;
  let isOpen = false;
  // Of each set of sites that spaces ask: one of these, and whether any of them is open to those to whom the sites are silent.
  const asking = new Map<number, { readonly space: number; readonly isOpen: boolean }>();
  for (let x = 0; x < contents.count; x++) {
    const { base, asked } = accessOn(model, x);
    if (asked === undefined) isOpen ||= base !== NOTHING;
    else asking.set(asked, { space: x, isOpen: base !== NOTHING || asking.get(asked)?.isOpen === true });
  }
  const { at, entries } = members.teams;
  const isGiven = (member: number) => {
    if (lengthOf(members.permissions, member) > 0) return true;
    const own = entries.subarray(at[member], at[member + 1]);
    if (own.some((entry) => lengthOf(teams.permissions, entry >>> MEMBERSHIP) > 0)) return true;
    if (asking.size === 0) return false;
    const holder = holderOf(model, member);
    const said = saidTo(model, holder);
    return asking.values().some(({ space, isOpen: isOpenAbove }) => {
      const code = said(space);
      return code === NOTHING ? holder.role !== NOTHING && isOpenAbove : (code & ROLE) !== NOTHING;
    });
  };
  let part: Finding[] = [];
  for (let member = 0; member < members.count; member++) {
    if (member % MEMBERS_A_TURN === MEMBERS_A_TURN - 1) {
      yield part;
      part = [];
    }
    const role = members.roles[member] ?? NOTHING;
    const hasRole = role === ADMIN ? contents.count > 0 : role !== NOTHING && isOpen;
    if (hasRole || isGiven(member)) continue;
    const reason = reasonOf(organizationRole(model, member), lengthOf(members.teams, member));
    part.push({ kind: "no-access", user: personIn(model, member), reason });
  }
  yield part;
}

function reasonOf(role: string | null, teams: number): string {
  const who = role === null ? "a guest" : `role ${role}, which reaches no content`;
  const through =
    teams === 0 ? "in no team" : `${teams === 1 ? "whose team holds" : `whose ${teams} teams hold`} none`;
  return `${who}, without a permission and ${through}`;
}

/** How many permissions a part has. */
const PAGE = 1000;

/** The permissions on a space that was deleted. Direct permissions come first. */
function* onDeletedSpace(model: Model, space: number): Generator<readonly Finding[] | undefined> {
  const text = textOf(model.contents.texts, space);
  if (!text.includes('"deletedAt":')) return;
  const { deletedAt }: { deletedAt?: string } = JSON.parse(text);
  // A title may have the words, too.
  if (deletedAt === undefined) return;
  const content = contentRef(model, space);
  const reason = `the space was deleted on ${deletedAt.slice(0, 10)}`;
  for (let from = 0; from < model.members.count;) {
    const hits = givenOn(model, space, { from, most: PAGE });
    yield hits.map(({ member, code }) => ({
      kind: "deleted",
      content,
      user: personIn(model, member),
      role: roleOf(code),
      reason,
    }));
    from = hits.length < PAGE ? model.members.count : (hits.at(-1)?.member ?? 0) + 1;
  }
  const { at, entries } = model.contents.teams;
  const byTeam = entries.slice(at[space], at[space + 1]).sort();
  yield Array.from(byTeam, (entry) => ({
    kind: "deleted" as const,
    content,
    team: teamRef(model, entry >>> PERMISSION),
    role: roleOf(entry & ROLE),
    reason,
  }));
}
