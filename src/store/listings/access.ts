/** Everyone with an effective role on something, each with the reason. */
import type { Decision, Subject } from "../../domain/access.ts";
import { type ContentKey, idOf } from "../../domain/content.ts";
import type { Page, PageRequest } from "../../domain/page.ts";
import { type Reason, reasonOf } from "../../domain/reason.ts";
import type { Role } from "../../domain/role.ts";
import type { Person } from "../../domain/why.ts";
import type { Content } from "../content.ts";
import { statement } from "../engine.ts";
import { personOf } from "../person.ts";
import type { Reading } from "../reading.ts";
import { strongestFirst } from "../strongest-first.ts";
import type { SiteDecision } from "../site-target.ts";
import type { Target } from "../target.ts";
import { effectiveMembers } from "./effective.ts";

export interface Access {
  readonly user: Person;
  readonly role: Role;
  readonly reason: Reason;
}

/** `shown`: strongest role first, then by id. `id`: by id. */
export type AccessOrder = "shown" | "id";

interface Told<Found> {
  readonly role: Role;
  readonly found: Found;
  readonly member: Subject;
}

/** Everyone on a content; with `role`, those whose effective role it is. */
export function accessOnContent(
  reading: Reading,
  target: Target<Decision>,
  role: Role | undefined,
  order: AccessOrder,
  request: PageRequest<string>,
): Promise<Page<Access, string>> {
  const subject = target.ladders[0]?.[0]?.content ?? "space/";
  return access(reading, target, (decision) => ({ subject, decision, onSite: false }), role, order, request);
}

/** Everyone on a site. */
export function accessOnSite(
  reading: Reading,
  target: Target<SiteDecision>,
  role: Role | undefined,
  order: AccessOrder,
  request: PageRequest<string>,
): Promise<Page<Access, string>> {
  const told = ({ space, decision }: SiteDecision) => ({ subject: space, decision, onSite: true });
  return access(reading, target, told, role, order, request);
}

interface Grounds {
  readonly subject: ContentKey;
  readonly decision: Decision;
  readonly onSite: boolean;
}

async function access<Found extends { role: Role }>(
  reading: Reading,
  target: Target<Found>,
  grounds: (found: Found) => Grounds,
  role: Role | undefined,
  order: AccessOrder,
  request: PageRequest<string>,
): Promise<Page<Access, string>> {
  const told: Target<Told<Found>> = {
    ...target,
    decide(member) {
      const found = target.decide(member);
      return found === undefined ? undefined : { role: found.role, found, member };
    },
  };
  const one = (wanted: Role | undefined, asked: PageRequest<string>) =>
    effectiveMembers(reading, told, asked, wanted);
  const { entries, ...more } =
    role !== undefined || order === "id"
      ? await one(role, request)
      : await strongestFirst(request, ({ id }) => id, one);
  const rows = entries.map(({ id, document, found }) => ({
    user: personOf({ id, role: found.member.role, document }),
    role: found.role,
    grounds: grounds(found.found),
  }));
  const explain = await reasons(
    reading,
    target,
    rows.map((row) => row.grounds.decision),
  );
  return {
    ...more,
    entries: rows.map((row) => ({ user: row.user, role: row.role, reason: explain(row.grounds) })),
  };
}

/** How reasons of these decisions are told: titles are looked up for those that they name. */
async function reasons(
  reading: Reading,
  { ladders }: Target<{ role: Role }>,
  decisions: readonly Decision[],
): Promise<(grounds: Grounds) => Reason> {
  const teams = await teamTitles(reading, decisions);
  const known = new Map<ContentKey, Content>();
  for (const level of ladders.flat()) known.set(level.content, level);
  const titles = {
    content: (key: ContentKey) => known.get(key)?.title ?? key,
    team: (id: string) => teams.get(id) ?? id,
  };
  return ({ subject, decision, onSite }) =>
    reasonOf(
      subject,
      decision,
      titles,
      onSite ? { id: idOf(subject), title: titles.content(subject) } : undefined,
    );
}

const TITLES = statement<[id: string, title: string]>(
  ({ texts }) => `
    SELECT t.id, t.title FROM ${texts("$2", "wanted")} CROSS JOIN team t
      WHERE t.snapshot = $1 AND t.id = wanted.value`,
);

/** The titles of the teams that decided. */
export async function teamTitles(
  reading: Reading,
  decisions: readonly Decision[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(decisions.flatMap(({ team }) => team ?? []))];
  return new Map(ids.length === 0 ? [] : await reading.read(TITLES, reading.snapshot, ids));
}
