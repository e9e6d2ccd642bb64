/** The list of all differences between two revisions, while its contents are still being compared. */
import { expect, test } from "vitest";
import { contentKey } from "../../../src/domain/content.ts";
import { pageOfNodes } from "../../../src/explorer/server/changes.ts";

const RECORD = { kind: "member", revision: 2, first: 2 } as const;
const NAMES = { member: undefined, team: undefined, content: undefined, site: undefined };
const record = { ...RECORD, ...NAMES, was: undefined, becomes: undefined };
const NONE = { read: 0, comment: 0, edit: 0, review: 0, create: 0, admin: 0 };
const people = ["ann", "bob", "cid"].map((id) => ({
  user: { id, displayName: id },
  before: undefined,
  after: null,
  contents: 0,
  had: NONE,
  has: NONE,
  record,
}));
const contents = ["a", "b"].map((id) => ({
  content: contentKey("space", id),
  counts: [0, 0, 0, 1],
  causes: [],
  more: 0,
}));

test("a walk goes on until the contents are compared, and has each thing once", async () => {
  for (const [apart, asks] of [
    [people, 0],
    [people, 3],
    [[], 2],
  ] as const) {
    const walked: string[] = [];
    let early = 0;
    for (let after: string | undefined; ;) {
      const ready = () => Promise.resolve(early++ < asks ? undefined : contents);
      const page = await pageOfNodes(apart, ready, { after, limit: 2 }, 0);
      walked.push(...page.entries.map(({ position }) => position));
      if (page.next === undefined) break;
      after = page.next;
    }
    const expected = [
      ...apart.map(({ user }) => `0${user.id}`),
      ...contents.map(({ content }) => `1${content}`),
    ];
    expect(walked).toEqual(expected);
    expect(early).toBeGreaterThan(asks);
  }
});
