/** How the causes of differences are worded, with one small change each. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { wordedContents, wordedPairs } from "../../../../src/cli/commands/diff.ts";
import type { Comparison } from "../../../../src/model/comparison.ts";
import { contentDifferences } from "../../../../src/model/summary.ts";
import { compare } from "../../../../src/store/revisions/diff/diff.ts";
import * as given from "../../../oracle/examples/examples.ts";
import type { SnapshotRecord } from "../../../oracle/records.ts";
import { ownPlace, World } from "../../../world.ts";
import { rowsOf, whole } from "./whole.ts";

const ana = given.member("ana", "read");
const ben = given.member("ben", null);
const docs = given.team("docs", ["ana"], "Docs");
const handbook = given.collection("handbook");
const inner = given.collection("inner", { parent: "handbook" });
const deep = given.space("deep", { parent: "inner" });
const closed = given.space("closed", { parent: "inner", defaultLevel: null });
const base = [given.organization(), ...ana, ...ben, ...docs, handbook, inner, deep, closed];

let world: World;
beforeEach(async () => {
  world = await World.open(ownPlace);
});
afterEach(() => world.close());

type States = readonly (readonly SnapshotRecord[])[];

/** The difference between the last two of some states. */
async function between(...states: States): Promise<Comparison> {
  await importAll(states);
  return diffFrom(states.length - 1);
}

async function importAll(states: States): Promise<void> {
  for (const records of states) await world.import(records);
}

async function diffFrom(revision: number): Promise<Comparison> {
  const organization = await world.store.registry.organization("o");
  if (organization === undefined) throw new Error("The organization is missing.");
  const past = await world.store.registry.past.byNumber(organization, revision);
  if (past === undefined) throw new Error(`Revision ${revision} is missing.`);
  const [before, after] = [past, organization.current].map((at) => world.store.reading(at));
  if (before === undefined || after === undefined) throw new Error("There is no reading.");
  return compare({ before, after });
}

/** Each difference between the last two of some states, as "user content: sentence". */
async function told(...states: States): Promise<string[]> {
  return sentencesOf(await between(...states));
}

/** Each difference between the first and the last of some states. */
async function toldSince(...states: States): Promise<string[]> {
  await importAll(states);
  return sentencesOf(await diffFrom(1));
}

/** The causes of each content in the summary. */
async function summed(...states: States): Promise<string[][]> {
  await importAll(states);
  const diff = await diffFrom(1);
  return wordedContents(diff, whole(contentDifferences(diff))).map(({ causes }) =>
    causes.map(({ text }) => text),
  );
}

function sentencesOf(diff: Comparison): string[] {
  return wordedPairs(diff, rowsOf(diff)).map(
    ({ user, content, sentence }) => `${user.id} ${content.id}: ${sentence}`,
  );
}

/** Replaces the first record of each pair by the second. */
function changed(...pairs: readonly (readonly [SnapshotRecord, SnapshotRecord])[]): SnapshotRecord[] {
  return base.map((record) => pairs.find(([old]) => old === record)?.[1] ?? record);
}

const teamHas = (role: "comment" | "edit") => given.onCollection("handbook", { team: "docs" }, role);

test("a team's permission, down to where it does not reach", async () => {
  const because = "because team Docs was given edit on collection handbook in revision 2";
  expect(await told(base, [...base, teamHas("edit")])).toEqual([
    `ana handbook: raised from read to edit, ${because}`,
    `ana inner: raised from read to edit, ${because}`,
    `ana deep: raised from read to edit, ${because}`,
  ]);
});

test("contents below are counted up to one with its own default level", async () => {
  const diff = await between(base, [...base, teamHas("edit")]);
  const counted = whole(contentDifferences(diff)).map(({ content, counts }) => [content, counts]);
  const raisedOne = [0, 0, 1, 0];
  expect(counted).toEqual(
    ["collection/handbook", "collection/inner", "space/deep"].map((content) => [content, raisedOne]),
  );
});

test("a change in an earlier revision is not a cause", async () => {
  const found = await told(base, [...base, teamHas("comment")], [...base, teamHas("edit")]);
  expect(found[0]).toBe(
    "ana handbook: raised from comment to edit, because team Docs’s permission on collection handbook went from comment to edit in revision 3",
  );
});

test("a collection that was moved", async () => {
  const locked = given.collection("locked", { defaultLevel: null });
  const moved = [...changed([inner, given.collection("inner", { parent: "locked" })]), locked];
  const because =
    "because collection inner was moved from collection handbook to collection locked in revision 2";
  expect(await told([...base, locked], moved)).toEqual([
    `ana inner: lost read, ${because}`,
    `ana deep: lost read, ${because}`,
  ]);
});

test("a default level, except for guests and contents with their own", async () => {
  const open = changed([handbook, given.collection("handbook", { defaultLevel: "create" })]);
  const because = "because collection handbook’s default level went from inherit to create in revision 2";
  expect(await told(base, open)).toEqual(
    ["handbook", "inner", "deep"].map((id) => `ana ${id}: raised from read to create, ${because}`),
  );
});

test("a membership and a direct permission, each at the first step that differs", async () => {
  const first = [...base, given.onSpace("closed", { team: "docs" }, "review")];
  const next = [
    ...first,
    given.onSpace("closed", { user: "ana" }, "comment"),
    { object: "teamMember", team: "docs", user: "ben", role: "member" } as const,
  ];
  expect(await told(first, next)).toEqual([
    "ana closed: lowered from review to comment, because The ana was given comment on space closed in revision 2",
    "ben closed: gained review, because The ben joined team Docs in revision 2",
  ]);
});

test("a member who joins, and a content that is added", async () => {
  const next = [...base, ...given.member("cy", "admin"), given.space("new")];
  const found = await told(base, next);
  expect(found).toContain("cy deep: gained admin, because The cy came with role admin in revision 2");
  expect(found).toContain("ana new: gained read, because space new was added in revision 2");
});

test("an organization role, and a guest who becomes a member", async () => {
  const next = [...base.filter((record) => !ben.includes(record)), ...given.member("ben", "edit")];
  const because = "because The ben’s organization role went from guest to edit in revision 2";
  expect(await told(base, next)).toEqual(
    ["handbook", "inner", "deep"].map((id) => `ben ${id}: gained edit, ${because}`),
  );
});

test("a permission that was overridden takes effect with its own cause", async () => {
  const first = [...base, given.onSpace("deep", { user: "ana" }, "admin"), teamHas("comment")];
  const next = [...base, teamHas("edit")];
  expect((await told(first, next)).at(-1)).toBe(
    "ana deep: lowered from admin to edit, because team Docs’s permission on collection handbook went from comment to edit in revision 2, and The ana’s admin on space deep was taken away in revision 2",
  );
});

test("the permission of a team is no cause for a user who left the team, also if many are compared", async () => {
  const without = base.filter((record) => record.object !== "teamMember");
  const states = [
    [...base, teamHas("comment")],
    [...without, teamHas("edit")],
  ];
  const because = "The ana left team Docs in revision 2";
  expect(await summed(...states)).toEqual([[because], [because], [because]]);
  const found = sentencesOf(await diffFrom(1));
  expect(new Set(found.map((text) => text.replace(/^.*: /, "")))).toEqual(
    new Set([`lowered from comment to read, because ${because}`]),
  );
});

test("a later title is not the revision of a cause, and several changes of access name the first and the last", async () => {
  const locked = given.collection("handbook", { defaultLevel: null });
  const open = given.collection("handbook", { defaultLevel: "edit" });
  const titled = Object.assign({ ...open }, { title: "New" });
  const states = [locked, open, titled].map((each) => changed([handbook, each]));
  const level = "went from inherit to edit in revisions 2 to 3";
  expect((await toldSince(base, ...states))[0]).toBe(
    `ana handbook: raised from read to edit, because collection New’s default level ${level}`,
  );
});

test("a guest who becomes a member where a default level opens", async () => {
  const open = given.collection("handbook", { defaultLevel: "comment" });
  const next = changed([handbook, open]).filter((record) => !ben.includes(record));
  const found = await told(base, [...next, ...given.member("ben", "edit")]);
  expect(found.find((text) => text.startsWith("ben handbook"))).toBe(
    "ben handbook: gained comment, because The ben’s organization role went from guest to edit in revision 2, and collection handbook’s default level went from inherit to comment in revision 2",
  );
});

test("a person who left after the content was removed, and a content that was added before it was opened to somebody", async () => {
  const added = given.space("added", { defaultLevel: null });
  const permitted = [...base, added, given.onSpace("added", { user: "ben" }, "edit")];
  const gone = permitted.filter((record) => record !== closed);
  const found = await toldSince(
    [...base, given.onSpace("closed", { user: "ben" }, "read")],
    [...base, added, given.onSpace("closed", { user: "ben" }, "read")],
    gone,
    gone.filter((record) => !docs.includes(record) && !ana.includes(record)),
  );
  expect(found).toContain(
    "ben added: gained edit, because The ben was given edit on space added in revision 3",
  );
  expect(found).toContain("ben closed: lost read, because space closed was removed in revision 3");
  expect(found).toContain("ana deep: lost read, because The ana left the organization in revision 4");
});

test("a content that was added after what gives the role on it, also if many are compared", async () => {
  const permitted = [...base, teamHas("edit")];
  const later = given.space("later", { parent: "handbook" });
  const causes = [
    "team Docs was given edit on collection handbook in revision 2",
    "space later was added in revision 3",
  ];
  expect(await summed(base, permitted, [...permitted, later])).toContainEqual(causes);
  expect(sentencesOf(await diffFrom(1))).toContain(
    `ana later: gained edit, because ${causes.join(", and ")}`,
  );
});

test("a permission on a content itself, whatever its user was given above, also if many are compared", async () => {
  const here = given.onSpace("deep", { user: "ana" }, "edit");
  const above = given.onCollection("handbook", { user: "ana" }, "comment");
  const [onSpace, onCollection] = [
    "The ana was given edit on space deep in revision 2",
    "The ana was given comment on collection handbook in revision 2",
  ];
  expect(await summed(base, [...base, here, above])).toEqual([[onCollection], [onCollection], [onSpace]]);
  expect(sentencesOf(await diffFrom(1)).at(-1)).toBe(
    `ana deep: raised from read to edit, because ${onSpace}`,
  );
});
