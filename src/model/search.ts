/** What a search finds first. */
import { type Grade, GRADES, matchOf, type SearchQuery } from "../domain/search.ts";
import { compareIds } from "../domain/id.ts";
import { keyOf, type Model } from "./model.ts";
import { beginningOf, having, type Kind, namesAt, namesOf, rarestOf } from "./names.ts";

export interface Hit {
  readonly kind: Kind;
  readonly number: number;
}

/** Which hits a search may show. */
export interface Shown {
  readonly kinds: readonly Kind[];
  /** Whether a content may be found. */
  readonly sees: (content: number) => boolean;
  /** Of other kinds, those that may be found, where not all may. */
  readonly only: Readonly<Partial<Record<Kind, readonly number[]>>>;
  /** Whether a name must be the whole query. */
  readonly whole: boolean;
}

/**
 * The best `most` hits: by grade, then by kind in the order of `kinds`, then as the grade says, then by id. An empty query
 * finds nothing.
 */
export function* bestHits(
  model: Model,
  query: SearchQuery,
  most: number,
  { kinds, sees, only, whole }: Shown,
): Generator<void, Hit[]> {
  if (query.text === "") return [];
  const lines = new Map(GRADES.map((grade) => [grade, kinds.map((kind) => new Best(model, kind, most))]));
  const best = (): Hit[] =>
    [...lines.values()]
      .flat()
      .flatMap((line) => line.hits)
      .slice(0, most);
  function* look(text: string, isWanted: (grade: Grade) => boolean): Generator<void, void> {
    for (const [nth, kind] of kinds.entries()) {
      const names = yield* namesOf[kind](model);
      const each = (number: number) => {
        const { grade, by } = matchOf(namesAt(names, number), query) ?? {};
        if (grade === undefined || by === undefined || !isWanted(grade)) return;
        const line = lines.get(grade)?.[nth];
        if (line?.hasRoomFor(number, by) === true && (kind !== "content" || sees(number)))
          line.add(number, by);
      };
      const some = only[kind];
      if (some === undefined) yield* having(names, text, each);
      else some.forEach(each);
    }
  }
  yield* look(beginningOf(query), (grade) => grade === "whole" || (grade === "beginning" && !whole));
  const rarest = rarestOf(query);
  if (whole || rarest === undefined || best().length >= most) return best();
  yield* look(rarest, (grade) => grade !== "whole" && grade !== "beginning");
  return best();
}

interface Found {
  readonly number: number;
  readonly by: string;
}

/** The best hits of one kind and grade, in order. */
class Best {
  readonly #model: Model;
  readonly #kind: Kind;
  readonly #most: number;
  readonly #found: Found[] = [];

  constructor(model: Model, kind: Kind, most: number) {
    this.#model = model;
    this.#kind = kind;
    this.#most = most;
  }

  get hits(): Hit[] {
    return this.#found.map(({ number }) => ({ kind: this.#kind, number }));
  }

  hasRoomFor(number: number, by: string): boolean {
    const last = this.#found[this.#most - 1];
    return last === undefined || this.#isBefore(number, by, last);
  }

  add(number: number, by: string): void {
    this.#found.splice(this.#placeOf(number, by), 0, { number, by });
    this.#found.length = Math.min(this.#found.length, this.#most);
  }

  #placeOf(number: number, by: string): number {
    const place = this.#found.findIndex((each) => this.#isBefore(number, by, each));
    return place < 0 ? this.#found.length : place;
  }

  #isBefore(number: number, by: string, than: Found): boolean {
    return (compareIds(by, than.by) || this.#compare(number, than.number)) < 0;
  }

  /** Contents are numbered in another order than that of their keys. */
  #compare(a: number, b: number): number {
    return this.#kind === "content" ? compareIds(keyOf(this.#model, a), keyOf(this.#model, b)) : a - b;
  }
}
