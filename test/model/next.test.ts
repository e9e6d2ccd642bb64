/** The next model is the one built anew from the next records, forward and back, and answers as that one does. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { contentKey } from "../../src/domain/content.ts";
import type { RecordChange } from "../../src/domain/record-change.ts";
import { next } from "../../src/model/next.ts";
import { everyoneOn } from "../../src/model/members.ts";
import { findContent, type Model, NOTHING } from "../../src/model/model.ts";
import { type Facts, factsOf, organizationIds } from "../oracle/facts.ts";
import { histories } from "../oracle/random/organizations.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import { answers, done, expectEqual, expectSameAnswers } from "./expect-equal.ts";
import { changesBetween, modelOf, undone } from "./model-of.ts";
import { holds } from "../setup/property.ts";

const RUNS = 10 * Number(process.env.ROLEBOOK_TEST_RUNS ?? 10);

/** Every organization of many random histories, as long as it is there. */
function eachChain(check: (states: readonly Facts[]) => void): void {
  holds(
    fc.property(histories({}, 4), (states) => {
      for (const id of organizationIds(states[0] ?? [])) {
        const end = states.findIndex((records) => !organizationIds(records).includes(id));
        check((end < 0 ? states : states.slice(0, end)).map((records) => factsOf(records, id)));
      }
    }),
    { numRuns: RUNS },
  );
}

const everyMember = ({ members }: Model) => Array.from({ length: members.count }, (_, member) => member);

test("a chain of changes, forward and back", () => {
  eachChain((states) => {
    const built = states.map((facts) => modelOf(facts));
    const steps = states.slice(1).map((facts, at) => changesBetween(states[at] ?? facts, facts));
    let [model] = built;
    if (model === undefined) return;
    const follow = (changes: readonly RecordChange[], expected: Model | undefined) => {
      if (model === undefined || expected === undefined) throw new Error("No model.");
      // Fills what hangs on the model, of which the next one takes over a part.
      answers(model, everyMember(model));
      model = done(next(model, changes));
      expectEqual(model, expected);
      expectSameAnswers(model, expected, everyMember(expected));
    };
    for (const [at, changes] of steps.entries()) follow(changes, built[at + 1]);
    for (const [at, changes] of [...steps.entries()].toReversed()) follow(undone(changes), built[at]);
  });
});

test("two next models of one model, worked out in turns, do not disturb each other or the model", () => {
  eachChain(([first, second, third]) => {
    if (first === undefined || second === undefined || third === undefined) return;
    const model = modelOf(second);
    const turns = [changesBetween(second, first), changesBetween(second, third)].map((changes) =>
      next(model, changes),
    );
    const made = new Map<Generator, Model>();
    while (made.size < turns.length) {
      for (const turn of turns) {
        const step = made.has(turn) ? undefined : turn.next();
        if (step?.done === true) made.set(turn, step.value);
      }
    }
    const [was, is] = turns.map((turn) => made.get(turn));
    if (was === undefined || is === undefined) throw new Error("No model.");
    expectEqual(was, modelOf(first));
    expectEqual(is, modelOf(third));
    expectEqual(model, modelOf(second));
  });
});

test("title of the organization, title and default level of a site", () => {
  const records: SnapshotRecord[] = [
    { object: "organization", id: "acme", title: "acme" },
    { object: "site", id: "docs", organization: "acme", title: "docs" },
  ];
  const changes: RecordChange[] = [
    { kind: "organization", was: "acme", becomes: "Acme" },
    {
      kind: "site",
      site: "docs",
      was: '{"title":"docs"}',
      becomes: '{"title":"Documents","defaultLevel":null}',
    },
  ];
  const model = done(next(modelOf(factsOf(records, "acme")), changes));
  expect(model.organization).toEqual({ id: "acme", title: "Acme" });
  expect(model.sites.titles).toEqual(["Documents"]);
  expect(model.sites.levels).toEqual(Uint8Array.of(NOTHING));
});

const SMALL: SnapshotRecord[] = [
  { object: "organization", id: "acme", title: "Acme" },
  { object: "user", id: "ana", displayName: "Ana" },
  { object: "member", organization: "acme", user: "ana", role: "edit" },
  { object: "team", id: "team", organization: "acme", title: "Team", createdAt: "2026-01-01T00:00:00.000Z" },
  { object: "collection", id: "box", organization: "acme", title: "Box" },
  spaceIn("box", "page"),
  { object: "site", id: "docs", organization: "acme", title: "" },
  { object: "siteSpace", site: "docs", space: "page" },
  { object: "permission", collection: "box", user: "ana", permission: "edit" },
  { object: "permission", collection: "box", team: "team", permission: "read" },
];
const box = contentKey("collection", "box");

test.each<[why: string, RecordChange]>([
  ["there is none", { kind: "member", member: "bea", was: "1", becomes: undefined }],
  ["it is there already", { kind: "member", member: "ana", was: undefined, becomes: "1" }],
  ["nothing says who the newcomer is", { kind: "member", member: "bea", was: undefined, becomes: "1" }],
  ["the role was another one", { kind: "member", member: "ana", was: "1", becomes: "2" }],
  [
    "it does not have what was there",
    { kind: "permission", member: "ana", content: box, was: "1", becomes: "2" },
  ],
  ["it has that already", { kind: "permission", member: "ana", content: box, was: undefined, becomes: "2" }],
  [
    "it does not have what was there",
    { kind: "permission", team: "team", content: box, was: "2", becomes: "3" },
  ],
  [
    "it names what is not there",
    { kind: "permission", team: "none", content: box, was: undefined, becomes: "3" },
  ],
  [
    "it does not have what was there",
    { kind: "permission", member: "ana", site: "docs", was: "0", becomes: "2" },
  ],
  [
    "it names what is not there",
    { kind: "permission", team: "team", site: "none", was: undefined, becomes: "0" },
  ],
  [
    "it does not have what was there",
    { kind: "teamMember", team: "team", member: "ana", was: "owner", becomes: undefined },
  ],
  ["a list names what goes", { kind: "member", member: "ana", was: "3", becomes: undefined }],
  [
    "a list names what goes",
    { kind: "space", content: contentKey("space", "page"), was: "", becomes: undefined },
  ],
  ["a list names what goes", { kind: "team", team: "team", was: "", becomes: undefined }],
  [
    "there is no such parent",
    {
      kind: "collection",
      content: contentKey("collection", "new"),
      was: undefined,
      becomes: '{"title":"","parent":"none"}',
    },
  ],
  [
    "A collection is inside itself",
    { kind: "collection", content: box, was: "", becomes: '{"title":"","parent":"box"}' },
  ],
])("changes of another state are refused: %s", (why, change) => {
  const model = modelOf(factsOf(SMALL, "acme"));
  expect(() => done(next(model, [change]))).toThrow(why);
  expectEqual(model, modelOf(factsOf(SMALL, "acme")));
});

/** Four hundred members, of whom a direct permission leaves three the role that the team has. */
function rarelyRead(): SnapshotRecord[] {
  const users = Array.from({ length: 400 }, (_, i) => `m${String(i).padStart(3, "0")}`);
  return [
    { object: "organization", id: "acme", title: "Acme" },
    { object: "team", id: "team", organization: "acme", title: "", createdAt: "2026-01-01T00:00:00.000Z" },
    { object: "collection", id: "box", organization: "acme", title: "Box", defaultLevel: null },
    spaceIn("box", "space"),
    { object: "permission", collection: "box", team: "team", permission: "read" },
    ...users.flatMap((user): SnapshotRecord[] => [
      { object: "user", id: user, displayName: "" },
      { object: "member", organization: "acme", user, role: null },
      { object: "teamMember", team: "team", user, role: "member" },
    ]),
    ...users
      .slice(0, -3)
      .map((user): SnapshotRecord => ({ object: "permission", space: "space", user, permission: "comment" })),
  ];
}

function spaceIn(parent: string, id: string): SnapshotRecord {
  const [createdAt, updatedAt] = ["2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z"];
  return { object: "space", id, organization: "acme", title: "", parent, createdAt, updatedAt };
}

test.each<[kind: string, (records: SnapshotRecord[]) => SnapshotRecord[]]>([
  [
    "member",
    (records) =>
      records.map((record) =>
        record.object === "member" && record.user === "m399" ? { ...record, role: "admin" } : record,
      ),
  ],
  ["teamMember", (records) => records.filter((record) => !("team" in record && record.user === "m399"))],
  [
    "collection",
    (records) => [...records, { object: "collection", id: "a", organization: "acme", title: "" }],
  ],
  ["space", (records) => [...records, spaceIn("box", "a")]],
  [
    "permission",
    (records) => records.filter((record) => !(record.object === "permission" && record.user === "m000")),
  ],
])("a rare role is looked for anew after a change of a %s", (_, change) => {
  const records = rarelyRead();
  const [before, after] = [factsOf(records, "acme"), factsOf(change(records), "acme")];
  const model = modelOf(before);
  const space = findContent(model, contentKey("space", "space")) ?? 0;
  const found = everyoneOn(model, space, 1, { from: 0, most: 50 });
  expect(found.map(({ member }) => member)).toEqual([397, 398, 399]);
  expectSameAnswers(done(next(model, changesBetween(before, after))), modelOf(after), []);
});
