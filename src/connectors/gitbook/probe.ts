import { setTimeout as sleep } from "node:timers/promises";
import { idOf, kindOf } from "../../domain/content.ts";
import type { Ladder, MemberRights } from "../../domain/ladder.ts";
import { type Role, rank } from "../../domain/role.ts";
import { isObject } from "../../domain/json.ts";
import type { GitBookAnswer, GitBookClient } from "./client.ts";
import { type Pulled, pull, spacesOfSpeakingSites } from "./pull.ts";
import { Effective, type RoleRule, contentsOf, nearest, rolesAt, spread } from "./verify.ts";

/** When a page token is tried again after it was issued, in milliseconds. */
const RETRY_AFTER = [0, 60_000, 600_000];
const COMPARED = 20;

/**
 * Examines what GitBook's documentation leaves open. The lines are for the developers of this program: names of fields,
 * roles and headers, and numbers, but no id or name of the organization.
 */
export async function* probe(
  client: GitBookClient,
  organization: string,
  again = RETRY_AFTER,
): AsyncGenerator<string> {
  const members = ["orgs", organization, "members"];
  const plain = await client.page(members, {});
  yield `address: ${client.api.url === "https://api.gitbook.com" ? "official" : "another"}`;
  yield* limitHeaders(plain);
  const total = await totalOf(client, members);
  yield `entries without limit: ${entriesOf(plain)} of ${total}, ${plain.body.next === undefined ? "no next" : "with next"}`;
  for (const limit of [0, 1, 1000, 1001]) {
    const answer = await client.page(members, { limit });
    yield `limit=${limit}: status ${answer.status}, ${entriesOf(answer)} entries, count ${meaningOf(answer, total)}`;
  }
  yield `members by joining: ${await order(client, members)}`;
  // What sites say is kept: the rules differ in it.
  const accept = { has: (kind: string) => kind !== "site-permissions" };
  const pulled = await pull(client, organization, { accept });
  yield* whatThereIs(pulled);
  yield* await rules(client, pulled);
  yield* lifetime(client, members, again);
}

function* limitHeaders({ headers }: GitBookAnswer): Generator<string> {
  for (const name of [
    "x-ratelimit-limit",
    "x-ratelimit-remaining",
    "x-ratelimit-reset",
    "retry-after",
    "date",
  ]) {
    yield `header ${name}: ${headers.get(name) ?? "absent"}`;
  }
}

async function totalOf(client: GitBookClient, path: readonly string[]): Promise<number> {
  let total = 0;
  await client.walk(path, {}, () => total++);
  return total;
}

function entriesOf({ body }: GitBookAnswer): number {
  return Array.isArray(body.items) ? body.items.length : 0;
}

function meaningOf(answer: GitBookAnswer, total: number): string {
  const { count } = answer.body;
  if (count === undefined) return "absent";
  const meanings = [count === entriesOf(answer) ? "of the page" : "", count === total ? "of all" : ""].filter(
    Boolean,
  );
  return meanings.length === 0 ? "of neither the page nor all" : meanings.join(" and ");
}

async function order(client: GitBookClient, path: readonly string[]): Promise<string> {
  const dates: unknown[] = [];
  await client.walk(path, { order: "asc", sort: "joinedAt" }, ({ joinedAt }) => dates.push(joinedAt));
  const isSorted = dates.every((date, index) => index === 0 || String(dates[index - 1]) <= String(date));
  return isSorted ? "in that order" : "not in that order";
}

function* whatThereIs(pulled: Pulled): Generator<string> {
  const { inventory, details, concerns, settled } = pulled;
  const { members, teams, collections, spaces, sites } = inventory;
  yield `members ${members.size}, teams ${teams.size}, collections ${collections.size}, spaces ${spaces.size}, sites ${sites.size}`;
  yield `disabled members: ${[...members.values()].filter(({ disabled }) => disabled).length}`;
  const inTeams = [...details.teams.values()].flatMap((team) => [...team.keys()]);
  yield `disabled members in teams: ${inTeams.filter((user) => members.get(user)?.disabled).length}`;
  yield `spaces of sites with permissions or a default level: ${spacesOfSpeakingSites(pulled).length}`;
  yield `two readings listed the same: ${settled ? "yes" : "no"}`;
  for (const { kind, at } of concerns.accepted) yield `not for a snapshot: ${kind}, ${at.length} times`;
}

/** How many roles in GitBook's own lists equal those of each rule, and which rules give all of them. */
async function rules(client: GitBookClient, pulled: Pulled): Promise<string[]> {
  const contents = new Set([
    ...spread(contentsOf(pulled), COMPARED),
    ...spread(spacesOfSpeakingSites(pulled), COMPARED),
  ]);
  const tried = Object.entries(RULES).map(([name, rule]) => ({
    name,
    effective: new Effective(pulled, rule),
    same: 0,
  }));
  let pairs = 0;
  for (const key of contents) {
    const theirs = await rolesAt(client, [`${kindOf(key)}s`, idOf(key), "permissions", "aggregate"], "user");
    for (const rule of tried) {
      const ours = rule.effective.on(key);
      rule.same += rule.effective.members.filter((user) => ours.get(user) === theirs.get(user)).length;
    }
    pairs += tried[0]?.effective.members.length ?? 0;
  }
  const giving = tried.filter(({ same }) => same === pairs).map(({ name }) => `the rule "${name}"`);
  return [
    ...tried.map(
      ({ name, same }) => `rule "${name}": ${same} of ${pairs} roles on ${contents.size} contents`,
    ),
    `GitBook's roles are those of ${giving.join(" and of ") || "none of these rules"}`,
  ];
}

async function* lifetime(
  client: GitBookClient,
  path: readonly string[],
  again: readonly number[],
): AsyncGenerator<string> {
  const { body } = await client.page(path, { limit: 1 });
  const page = isObject(body.next) ? body.next.page : undefined;
  if (page === undefined) {
    yield "page token: none, all is on one page";
    return;
  }
  let waited = 0;
  for (const moment of again) {
    await sleep(moment - waited);
    waited = moment;
    const { status } = await client.page(path, { limit: 1, page: String(page) });
    yield `page token after ${moment / 1000} s: status ${status}`;
  }
}

/** Rules that GitBook's documentation suggests (docs/gitbook.md), by their names in the report of a probe. */
const RULES: Readonly<Record<string, RoleRule>> = {
  "Rolebook's rules": nearest,
  "broadest access on the nearest level": (ladder, member) => climb(ladder, member, false),
  "highest role of all levels": (ladder, member) => climb(ladder, member, true),
};

/**
 * The highest role on the first level that says something, all sites being one level; with `goOn`, the highest of all
 * levels.
 */
function climb(
  ladder: Ladder,
  { role, teams, direct, directOnSites }: MemberRights,
  goOn: boolean,
): Role | undefined {
  if (role === "admin") return role;
  const found: Role[] = [];
  for (const { content, teams: given, defaultLevel, sites = [] } of ladder) {
    const here = [direct.get(content), ...teams.map((team) => given.get(team))];
    found.push(...here.filter((each) => each !== undefined));
    if (found.length > 0 && !goOn) return highest(found);
    if (defaultLevel !== "inherit")
      return highest(role === null || defaultLevel === null ? found : [...found, defaultLevel]);
    const said = sites.flatMap((each) => [
      directOnSites?.get(each.site),
      ...teams.map((team) => each.teams.get(team)),
      each.defaultLevel === "inherit" ? undefined : role === null ? null : each.defaultLevel,
    ]);
    found.push(...said.filter((each) => each !== undefined && each !== null));
    if (said.some((each) => each !== undefined) && !goOn) return highest(found);
  }
  return highest(role === null ? found : [...found, role]);
}

function highest(roles: readonly Role[]): Role | undefined {
  return roles.toSorted((a, b) => rank(b) - rank(a))[0];
}
