/** What is looked up by its names is what the records of the organization say, and nothing of others or of the past. */
import { expect, test } from "vitest";
import { compareIds } from "../../../src/domain/id.ts";
import { accessFieldsOf, keyOfRecord } from "../../../src/domain/record-change.ts";
import type { Engine } from "../../../src/store/engine/engine.ts";
import { Reading, type Revision } from "../../../src/store/reading.ts";
import {
  childrenOf,
  membersById,
  recordsOfMembers,
  linksOfSites,
  storedTexts,
  withAncestors,
} from "../../../src/store/rows/look-up.ts";
import { recordsOf } from "../../model/model-of.ts";
import { type Facts, factsOf } from "../../oracle/facts.ts";
import { ownPlace } from "../../world.ts";
import { changed, checkHistories } from "./applied.ts";
import { isIn, LONG, MANY } from "./long-lists.ts";
import { apply, found, withRows } from "./place.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 10);

type Records = ReturnType<typeof recordsOf>;

test("random organizations, after each change", async () => {
  await withRows(ownPlace, async (engine) => {
    await checkHistories(engine, RUNS, async (_, states) => {
      const ever: Records = new Map();
      for await (const [at, facts] of states) {
        for (const [key, record] of recordsOf(facts)) ever.set(key, record);
        await compare(engine, at, recordsOf(facts), ever);
      }
    });
  });
});

test("lists that go on in parts", async () => {
  await withRows(ownPlace, async (engine) => {
    await found(engine, "o", 1);
    let before: Facts | undefined;
    const ever = recordsOf(factsOf(LONG, "o"));
    for (const stretch of [
      [-1, -1],
      [400, 900],
      [0, MANY],
      [250, 250],
    ] as const) {
      const left = LONG.filter(
        (record) =>
          !isIn(record, [
            [...stretch, true],
            [...stretch, false],
          ]),
      );
      const facts = factsOf(left, "o");
      const at = await apply(engine, "o", changed(before, facts));
      await compare(engine, at, recordsOf(facts), ever);
      before = facts;
    }
  });
});

/** Looks up all records that there ever were, and what hangs on them. */
async function compare(engine: Engine, at: Revision, records: Records, ever: Records): Promise<void> {
  const reading = new Reading(engine, at);
  const texts = new Map([...records].map(([key, { says }]) => [key, says]));
  const names = [...ever.values()].map((record) => record.names);
  expect(await storedTexts(reading, names)).toEqual(texts);

  const members = names.flatMap(({ kind, member }) =>
    kind === "member" && member !== undefined ? member : [],
  );
  const people = [...(await membersById(reading, members)).values()];
  expect(people.map(({ id, document }) => [id, document.text])).toEqual(
    members.flatMap((member) => {
      const text = texts.get(keyOfRecord({ kind: "user", member }));
      return text === undefined ? [] : [[member, text]];
    }),
  );

  const sites = names.flatMap(({ kind, site }) => (kind === "site" && site !== undefined ? site : []));
  const hanging = [...(await recordsOfMembers(reading, members)), ...(await linksOfSites(reading, sites))];
  expect(hanging.map(({ says, ...of }) => [keyOfRecord(of), says]).sort()).toEqual(
    [...records]
      .filter(
        ([
          ,
          {
            names: { kind, team },
          },
        ]) => (kind === "permission" ? team === undefined : kind === "teamMember" || kind === "siteSpace"),
      )
      .map(([key, { says }]) => [key, says])
      .sort(),
  );

  const fields = new Map(
    [...records.values()].flatMap(({ names: { kind, content }, says }) =>
      content !== undefined && (kind === "space" || kind === "collection")
        ? [[content, accessFieldsOf(says)] as const]
        : [],
    ),
  );
  const contents = names.flatMap(({ kind, content }) =>
    content !== undefined && (kind === "space" || kind === "collection") ? content : [],
  );
  const children = await childrenOf(reading, contents);
  expect(children.toSorted((a, b) => compareIds(a.content, b.content))).toEqual(
    [...fields]
      .flatMap(([content, { parent, defaultLevel }]) =>
        parent === undefined ? [] : [{ content, parent, defaultLevel }],
      )
      .sort((a, b) => compareIds(a.content, b.content)),
  );
  for (const content of contents) {
    const above = new Set<string>();
    for (
      let key = fields.has(content) ? content : undefined;
      key !== undefined;
      key = fields.get(key)?.parent
    )
      above.add(key);
    const around = await withAncestors(reading, [content]);
    expect(new Set(around.keys())).toEqual(above);
    for (const [key, found] of around) expect(found).toEqual(fields.get(key));
  }
}
