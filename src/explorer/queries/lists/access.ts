import type { Decision } from "../../../domain/ladder.ts";
import { idOf } from "../../../domain/content.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import { type Reason, reasonOf, type Titles } from "../../../domain/reason.ts";
import type { Role } from "../../../domain/role.ts";
import type { Person } from "../../../domain/why.ts";
import { holds } from "../../../store/schema/as-of.ts";
import { statement } from "../../../store/engine/engine.ts";
import { contents } from "../../../store/directory/inheritance.ts";
import { personOf } from "../../../store/directory/person.ts";
import type { Reading } from "../../../store/reading.ts";
import { type ExplainedEntry, explainedMembers } from "../../../store/listings/entries.ts";
import type { Access } from "../../../store/listings/access.ts";

export interface ExplainedPerson {
  readonly user: Person;
  readonly role: Role;
  readonly reason: Reason;
}

/** `shown`: strongest role first, then by id. `id`: by id only. */
export type AccessOrder = "shown" | "id";

/**
 * Everybody with an effective role, by id; with `role`, only people with this role. With `onSite`, each reason names
 * the space that gives the role.
 */
export async function explainedPeople(
  reading: Reading,
  access: Access,
  onSite: boolean,
  role: Role | undefined,
  request: PageRequest<string>,
): Promise<Page<ExplainedPerson, string>> {
  const { entries, ...more } = await explainedMembers(reading, access, request, role);
  const titles = await titlesOf(reading, access, entries);
  return { ...more, entries: entries.map((entry) => rowOf(entry, titles, onSite)) };
}

function rowOf(
  { id, memberRole, document, role, subject, decision }: ExplainedEntry,
  titles: Titles,
  onSite: boolean,
): ExplainedPerson {
  const space = onSite ? { id: idOf(subject), title: titles.content(subject) } : undefined;
  return {
    user: personOf({ id, role: memberRole, document }),
    role,
    reason: reasonOf(subject, decision, titles, space),
  };
}

async function titlesOf(
  reading: Reading,
  { subjects }: Access,
  entries: readonly ExplainedEntry[],
): Promise<Titles> {
  const teams = await teamTitles(
    reading,
    entries.map(({ decision }) => decision),
  );
  const loaded = await contents(reading, subjects);
  return {
    content: (key) => loaded.get(key)?.title ?? key,
    team: (id) => teams.get(id) ?? id,
  };
}

const TITLES = statement<[id: string, title: string]>(
  ({ texts }) => `
    SELECT t.id, t.title FROM ${texts("$3", "wanted")} CROSS JOIN team t
      WHERE ${holds("t")} AND t.id = wanted.value`,
);

/** The titles of the teams that decide, by team id. */
export async function teamTitles(
  reading: Reading,
  decisions: readonly Decision[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(decisions.flatMap(({ team }) => team ?? []))];
  return new Map(ids.length === 0 ? [] : await reading.read(TITLES, ...reading.asOf, ids));
}
