import type { DatabaseSync } from "node:sqlite";
import type { Server } from "../server/server.ts";
import { look, type World } from "../work/world.ts";
import { ask, spreadOf } from "./ask.ts";

/** The number of the universe of members in `src/store/schema/set-names.ts`. */
const MEMBERS = 0;
/** The number of people whose names are typed, and the least number of letters per name. */
const PEOPLE = 60;

/**
 * Types names, titles and e-mail addresses of the organization letter by letter. Measures the answers for three
 * callers: one who sees everything, a member, and a guest.
 */
export async function search(world: World, server: Server, tokens: Tokens): Promise<string[]> {
  const looking = look(world.path);
  const typed = [...new Set(textsIn(looking).flatMap(lettersOf))];
  looking.close();
  const lines: string[] = [];
  for (const [who, token] of Object.entries(tokens)) {
    const times: { ms: number; q: string }[] = [];
    for (const q of typed) {
      const { ms } = await ask(server, token, `/explorer/search?q=${encodeURIComponent(q)}`);
      times.push({ ms, q });
    }
    const slowest = times.reduce((worst, each) => (each.ms > worst.ms ? each : worst));
    lines.push(`search, ${who}: ${spreadOf(times.map(({ ms }) => ms))} (“${slowest.q}”)`);
  }
  return lines;
}

export type Tokens = Readonly<Record<string, string>>;

/** Names, e-mail addresses and titles from the whole organization; names also with the last name first. */
function textsIn(looking: DatabaseSync): string[] {
  const documents = looking.prepare(
    `SELECT m.doc FROM place p JOIN member m ON m.generation = p.generation AND m.position = p.position
      WHERE p.generation = (SELECT max(generation) FROM place) AND p.universe = ${MEMBERS} AND p.key > ?
      ORDER BY p.key LIMIT 1`,
  );
  const texts: string[] = [];
  for (let person = 0; person < PEOPLE; person++) {
    const from = String.fromCharCode(65 + (person % 26)) + String.fromCharCode(97 + ((person * 7) % 26));
    const { doc } = documents.get(from) ?? {};
    const { displayName, email }: { displayName: string; email?: string } = JSON.parse(String(doc));
    texts.push(displayName, displayName.split(" ").toReversed().join(" "), email ?? displayName);
  }
  const titles = looking.prepare(
    "SELECT title FROM content WHERE generation = (SELECT max(generation) FROM place) ORDER BY id LIMIT 12",
  );
  texts.push(...titles.all().map(({ title }) => String(title)));
  return [...texts, "nobody is called so", "a a", "e s", "m 1"];
}

/** The texts that the page searches while a text is typed. */
function lettersOf(text: string): string[] {
  const letters = [...text.toLowerCase()];
  return letters.map((_, length) =>
    letters
      .slice(0, length + 1)
      .join("")
      .trim(),
  );
}
