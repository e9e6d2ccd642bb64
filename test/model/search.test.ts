/** What is found in a model, and in which order, is what a look at every name finds, one by one. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { matches, matchOf, queryOf, tidy } from "../../src/domain/search.ts";
import { build } from "../../src/model/builder.ts";
import { contentKey } from "../../src/domain/content.ts";
import { keyOf, memberId, type Model } from "../../src/model/model.ts";
import { type Kind, namesAt, namesOf, numbersMatching } from "../../src/model/names.ts";
import { bestHits } from "../../src/model/search.ts";
import { childrenByTitle, childrenIn, contentsByTitle } from "../../src/model/titles.ts";
import { byBytes } from "../oracle/order.ts";
import { done } from "./expect-equal.ts";
import { holds } from "../setup/property.ts";

const RUNS = 10 * Number(process.env.ROLEBOOK_TEST_RUNS ?? 10);

/** Names of few letters, so that many match; addresses with few domains, one of digits; signs, cases, blanks. */
const word = fc.string({ unit: fc.constantFrom("a", "b", "B", "é", "ß", "1", "-", "'", "😀"), maxLength: 4 });
const address = fc
  .tuple(word, fc.constantFrom("a.b", "b.example", "1", "@b"))
  .map((parts) => parts.join("@"));
const name = fc.oneof(
  fc.array(word, { maxLength: 3 }).map((words) => words.join(" ")),
  address,
  fc.tuple(address, word).map((parts) => parts.join(" ")),
);
const person = fc.record({ displayName: name, email: fc.option(address, { nil: undefined }) });
const organization = fc.record({
  people: fc.array(person, { maxLength: 30 }),
  titles: fc.array(name, { maxLength: 30 }),
});
type Organization = typeof organization extends fc.Arbitrary<infer Drawn> ? Drawn : never;

function modelOf({ people, titles }: Organization): Model {
  const ids = (count: number) => Array.from({ length: count }, (_, nth) => String(nth).padStart(3, "0"));
  return done(
    build(
      { id: "o", title: "O" },
      {
        teams: ids(titles.length).map((id, number) => ({
          number,
          id,
          text: JSON.stringify({ title: titles[number] }),
        })),
        contents: titles.map((title, number) => ({
          number,
          key: contentKey(number % 3 === 0 ? "collection" : "space", String(number % 7) + number),
          // Every third one is a collection; each is in one before it, or at the top.
          parent: number % 4 === 0 ? undefined : 3 * Math.floor(number / 6),
          level: "inherit",
          created: 0,
          document: { text: JSON.stringify({ title }), omitted: 0 },
          teams: [],
        })),
        members: people.map((fields, number) => ({
          id: ids(people.length)[number] ?? "",
          role: null,
          // Profiles as they are stored, and in any other form.
          document: {
            text: JSON.stringify(
              number % 2 === 0 ? { object: "user", id: String(number), ...fields } : fields,
            ),
            omitted: 0,
          },
          teams: [],
          permissions: [],
        })),
        sites: titles.map((title, number) => ({
          number: titles.length + number,
          id: ids(titles.length)[number] ?? "",
          title,
          level: "inherit" as const,
          spaces: [],
          teams: [],
        })),
      },
    ),
  );
}

const KINDS: readonly Kind[] = ["content", "site", "member", "team"];

/** The names of everything, by kind and number, read from the records. */
function namesIn(model: Model, { people }: Organization, kind: Kind): string[][] {
  const { teams, contents, sites } = model;
  const titleOf = (text: string): string => JSON.parse(text).title;
  switch (kind) {
    case "member":
      return people.map(({ displayName, email }) => [displayName, ...(email === undefined ? [] : [email])]);
    case "team":
      return teams.texts.map((text) => [titleOf(text)]);
    case "site":
      return sites.titles.map((title) => [title]);
    case "content":
      return Array.from({ length: contents.count }, (_, x) => {
        const { bytes, begins, ends } = contents.texts;
        return [titleOf(bytes.toString("utf8", begins[x], ends[x]))];
      });
  }
}

/** A search that is part of a name, of two, or any text. */
function searchesIn(all: readonly string[], cuts: readonly number[]): string[] {
  const parts = cuts.map((cut) => {
    const text = [...(all[cut % (all.length || 1)] ?? "a")];
    const from = cut % (text.length || 1);
    return text.slice(from, from + 1 + (cut % 5)).join("");
  });
  return [...parts, parts.slice(0, 2).join(" "), ...all.slice(0, 2)];
}

test("names are kept whole, and found as one by one", () => {
  holds(
    fc.property(organization, fc.array(fc.nat(1000), { minLength: 4, maxLength: 4 }), (drawn, cuts) => {
      const model = modelOf(drawn);
      for (const kind of KINDS) {
        const names = namesIn(model, drawn, kind);
        const kept = done(namesOf[kind](model));
        expect(names.map((_, number) => namesAt(kept, number))).toEqual(
          names.map((each) => each.map(tidy).filter((text) => text !== "")),
        );
        for (const q of searchesIn(names.flat(), cuts)) {
          const query = queryOf(q);
          if (query.text === "") continue;
          expect([...done(numbersMatching(model, kind, query))], q).toEqual(
            [...names.keys()].filter((number) => matches(names[number] ?? [], query)),
          );
        }
      }
    }),
    { numRuns: RUNS },
  );
});

const GRADES = ["whole", "beginning", "swapped", "first", "words", "inside"];

test("the best hits are the first of all, sorted", () => {
  holds(
    fc.property(
      organization,
      fc.array(fc.nat(1000), { minLength: 4, maxLength: 4 }),
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      (drawn, cuts, most, whole) => {
        const model = modelOf(drawn);
        const named = KINDS.map((kind) => namesIn(model, drawn, kind));
        for (const q of searchesIn(named.flat(2), cuts)) {
          const query = queryOf(q);
          const all = KINDS.flatMap((kind, nth) =>
            (named[nth] ?? []).flatMap((names, number) => {
              const match = matchOf(names.map(tidy).filter(Boolean), query);
              if (match === undefined || (whole && match.grade !== "whole")) return [];
              if (kind === "content" && number % 5 === 0) return [];
              if (kind === "team" && number !== 1) return [];
              const id = kind === "content" ? keyOf(model, number) : String(number).padStart(3, "0");
              return [{ kind, number, id, nth, ...match }];
            }),
          );
          all.sort(
            (a, b) =>
              GRADES.indexOf(a.grade) - GRADES.indexOf(b.grade) ||
              a.nth - b.nth ||
              byBytes(a.by, b.by) ||
              byBytes(a.id, b.id),
          );
          const shown = {
            kinds: KINDS,
            sees: (x: number) => x % 5 !== 0,
            only: { team: drawn.titles.length > 1 ? [1] : [] },
            whole,
          };
          expect(done(bestHits(model, query, most, shown)), q).toEqual(
            all.slice(0, most).map(({ kind, number }) => ({ kind, number })),
          );
        }
      },
    ),
    { numRuns: RUNS },
  );
});

test("contents are in the order of their keys by title, and so are those of each collection", () => {
  holds(
    fc.property(organization, (drawn) => {
      const model = modelOf(drawn);
      const { contents } = model;
      const { order, keyOf: titleKey } = done(contentsByTitle(model));
      const sorted = Array.from({ length: contents.count }, (_, x) => x).sort((a, b) =>
        byBytes(titleKey(a), titleKey(b)),
      );
      expect([...order]).toEqual(sorted);
      const children = done(childrenByTitle(model));
      for (const collection of [undefined, ...sorted])
        expect([...childrenIn(children, collection)]).toEqual(
          sorted.filter((x) => contents.parents[x] === (collection ?? -1)),
        );
    }),
    { numRuns: RUNS },
  );
});

test("two that search at once share the work", () => {
  const model = modelOf({
    people: Array.from({ length: 1200 }, (_, nth) => ({ displayName: `Person ${nth}`, email: undefined })),
    titles: [],
  });
  const [one, other] = [namesOf.member(model), namesOf.member(model)];
  expect(one.next().done).toBe(false);
  expect(other.next().done).toBe(false);
  const names = done(other);
  expect(done(one)).toBe(names);
  expect(memberId(model, 0)).toBe("000");
});
