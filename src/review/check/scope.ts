import { type ContentKey, contentKey } from "../../domain/content.ts";
import { compareIds } from "../../domain/id.ts";
import { contents } from "../../store/directory/inheritance.ts";
import type { Reading } from "../../store/reading.ts";
import { absent, contentsBelow } from "../../store/reports/report-scope.ts";
import { spacesOfSite, spacesOfSites } from "../../store/directory/sites.ts";
import type { What } from "../rules/rule.ts";

/** Contents of an organization: those in `keys` or, with `allBut`, all others. */
export interface Scope {
  readonly allBut: boolean;
  readonly keys: ReadonlySet<ContentKey>;
}

export function isIn({ allBut, keys }: Scope, key: ContentKey): boolean {
  return keys.has(key) !== allBut;
}

/** Throws a CommandError if a named content or site does not exist. */
export async function scopeOf(reading: Reading, what: What): Promise<Scope> {
  switch (what.kind) {
    case "everything":
      return { allBut: true, keys: new Set() };
    case "sites":
      return { allBut: false, keys: new Set(await spacesOfSites(reading)) };
    case "site": {
      const spaces = await spacesOfSite(reading, what.id);
      if (spaces === undefined) throw absent(reading, "site", what.id);
      return { allBut: false, keys: new Set(spaces) };
    }
    case "space":
    case "collection":
      return { allBut: false, keys: new Set([await existing(reading, what.kind, what.id)]) };
    case "below":
      return {
        allBut: false,
        keys: new Set(await contentsBelow(reading, await existing(reading, "collection", what.id))),
      };
    case "everything but": {
      const { allBut, keys } = await scopeOf(reading, what.of);
      return { allBut: !allBut, keys };
    }
    case "any of": {
      let all: Scope = { allBut: false, keys: new Set() };
      for (const each of what.of) all = union(all, await scopeOf(reading, each));
      return all;
    }
  }
}

function union(a: Scope, b: Scope): Scope {
  if (!a.allBut && !b.allBut) return { allBut: false, keys: new Set([...a.keys, ...b.keys]) };
  if (a.allBut && b.allBut)
    return { allBut: true, keys: new Set([...a.keys].filter((key) => b.keys.has(key))) };
  const [all, some] = a.allBut ? [a, b] : [b, a];
  return { allBut: true, keys: new Set([...all.keys].filter((key) => !some.keys.has(key))) };
}

async function existing(reading: Reading, kind: "space" | "collection", id: string): Promise<ContentKey> {
  const key = contentKey(kind, id);
  if ((await contents(reading, [key])).has(key)) return key;
  throw absent(reading, kind, id);
}

/** The contents of all scopes, sorted by key; `undefined` if that is every content of the organization. */
export function inAnyOf(scopes: readonly Scope[]): ContentKey[] | undefined {
  if (scopes.some(({ allBut }) => allBut)) return undefined;
  return [...new Set(scopes.flatMap(({ keys }) => [...keys]))].sort(compareIds);
}
