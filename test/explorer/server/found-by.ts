/** What a search finds, as the documents say it, without the program's code. */
import { fold } from "../../oracle/fold.ts";
import type { World } from "../../world.ts";

/** The fields of rows. Every list has some of these. */
export interface Row {
  readonly user?: {
    readonly id: string;
    readonly displayName: string;
    readonly email?: string;
    guest?: true;
  };
  readonly space?: { readonly id: string; readonly title: string };
  readonly content?: { readonly id: string; readonly kind: string; readonly title: string };
  readonly team?: { readonly id: string; readonly title: string };
  readonly site?: { readonly id: string; readonly title: string };
  readonly role?: string | null;
  readonly deletedAt?: string;
  readonly reason?: { readonly rule: string; readonly team?: { readonly id: string } };
}

/** The kind and id of a row. */
export function nameOf({ user, space, content, team, site }: Row): string {
  if (site !== undefined) return `site/${site.id}`;
  if (user !== undefined) return `member/${user.id}`;
  if (space !== undefined) return `space/${space.id}`;
  return content === undefined ? `team/${team?.id}` : `${content.kind}/${content.id}`;
}

/** The keys of all rows that a text matches, by normalized titles and names. */
export function foundBy(q: string, rows: readonly Row[]): Set<string> {
  const tidy = (text: string) =>
    fold(text)
      .replaceAll(/[\s\p{Cc}]+/gu, " ")
      .trim();
  const words = (text: string) => text.split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean);
  const wanted = tidy(q);
  if (wanted === "") return new Set(rows.map(nameOf));
  const hits = rows.filter((row) => {
    const { user } = row;
    const texts =
      user === undefined
        ? [(row.space ?? row.content ?? row.team ?? row.site)?.title ?? ""]
        : [user.displayName, user.email ?? ""];
    const tidied = texts.map(tidy);
    const searched = tidied.map((each) =>
      each.includes("@") && !each.includes(" ") ? (each.split("@")[0] ?? "") : each,
    );
    return (
      tidied.some((each) => each.startsWith(wanted)) ||
      (words(wanted).length > 0 &&
        words(wanted).every((word) => searched.some((each) => each.includes(word))))
    );
  });
  return new Set(hits.map(nameOf));
}

export async function rowsOf(
  world: World,
  path: string,
  token: string,
  limits?: readonly number[],
): Promise<Row[]> {
  return (await world.walk(path, token, limits)).map((row): Row => Object(row));
}

export async function answer<Answer>(world: World, path: string, token: string): Promise<Answer> {
  const { status, body } = await world.get(path, token);
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${body}`);
  const parsed: Answer = JSON.parse(body);
  return parsed;
}
