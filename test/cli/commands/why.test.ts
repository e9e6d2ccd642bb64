/** `rolebook why` and `rolebook without` as a person types them. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { commandFor } from "../../../src/domain/why.ts";
import { MAIN, rolebook } from "../../command.ts";
import { acme } from "../../examples/acme.ts";
import { type SnapshotRecord, toLines } from "../../oracle/records.ts";
import { temporaryFolder } from "../../folder.ts";

const DATE = "2026-01-01T00:00:00.000Z";
const folder = temporaryFolder();
const one = { ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "one.db")}` };
const two = { ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "two.db")}` };

/** Names that a shell or a terminal would interpret. */
const NAMES = ["-x", "a b", "it's", "$HOME", "é;ls"];
const other: SnapshotRecord[] = [
  { object: "organization", id: "other", title: "Other" },
  {
    object: "space",
    id: "same",
    organization: "other",
    title: "Red \u001b[31m 目次",
    createdAt: DATE,
    updatedAt: DATE,
  },
  { object: "collection", id: "same", organization: "other", title: "Same" },
  { object: "site", id: "same", organization: "other", title: "Same" },
  ...NAMES.flatMap((id): SnapshotRecord[] => [
    { object: "user", id, displayName: `Name ${id}` },
    { object: "member", organization: "other", user: id, role: "read" },
  ]),
];

beforeAll(async () => {
  const both = join(folder, "both.ndjson");
  writeFileSync(both, toLines([...acme, ...other]));
  expect(await rolebook(["import", "examples/acme.ndjson"], one)).toMatchObject({ status: 0 });
  expect(await rolebook(["import", both], two)).toMatchObject({ status: 0 });
  writeFileSync(join(folder, "rolebook"), `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`, {
    mode: 0o700,
  });
});

test.each([
  ["ana nope", 1, 'There is no space, collection or site "nope" in organization acme.'],
  ["ana space/nope", 1, 'There is no space "nope" in organization acme.'],
  [
    "ana glosary",
    1,
    'There is no space, collection or site "glosary" in organization acme. Did you mean one of these: space/glossary?',
  ],
  [
    "ana collection/Handbok",
    1,
    'There is no collection "Handbok" in organization acme. Did you mean one of these: collection/handbook?',
  ],
  ["nobody-at-all glossary", 1, 'There is no member "nobody-at-all" in organization acme.'],
  ["Bramm glossary", 1, 'There is no member "Bramm" in organization acme. Did you mean one of these: bram?'],
  [
    "ana.lima@acme.exmple glossary",
    1,
    'There is no member "ana.lima@acme.exmple" in organization acme. Did you mean one of these: ana?',
  ],
  ["ana page/nope", 1, 'There is no space, collection or site "page/nope" in organization acme.'],
  ["ana glossary --organization nope", 1, 'There is no organization "nope"; see rolebook organization list.'],
])("why %s", async (args, status, message) => {
  const ran = await rolebook(["why", ...args.split(" ")], one);
  expect(ran).toEqual({ status, stdout: "", stderr: `${message}\n` });
});

test.each([
  [
    "teams/docs ana glossary",
    2,
    'SOURCE is "teams/docs"; accepted: team/ID, team/ID@CONTENT, user/ID@CONTENT or default@CONTENT, with CONTENT as space/ID, collection/ID or site/ID; or site/ID.',
  ],
  ["team/docs ana", 2, "CONTENT is missing; accepted: SOURCE alone, or SOURCE, USER and CONTENT."],
  ["team/doc", 1, 'There is no team "doc" in organization acme.'],
  [
    "team/docs@space/glossary",
    1,
    'There is no permission of team "docs" on space/glossary in organization acme.',
  ],
  [
    "user/a%40b@space/glossary",
    1,
    'There is no direct permission of "a@b" on space/glossary in organization acme.',
  ],
  [
    "default@collection/handbook",
    1,
    "There is no default level set on collection/handbook in organization acme.",
  ],
])("without %s", async (args, status, message) => {
  const ran = await rolebook(["without", ...args.split(" ")], one);
  expect(ran).toEqual({ status, stdout: "", stderr: `${message}\n` });
});

test("prints the current sentence, and the sentence and steps without a source", async () => {
  const args = ["without", "user/farid@collection/handbook", "farid", "api-reference"];
  const { stdout } = await rolebook(args, one);
  expect(stdout.split("\n").slice(0, 6)).toEqual([
    "read, because Farid Haddad has read directly on collection Handbook, which this space inherits from. A direct permission counts before team Docs’s review.",
    "",
    "Without Farid Haddad’s direct read on collection Handbook:",
    "review, because team Docs has review on collection Handbook, which this space inherits from.",
    "",
    "Acme                    organization",
  ]);
  expect(stdout).toContain("  @ Team permissions    review\n");
});

test.each([
  [
    "team/docs@collection/handbook",
    "Without team Docs’s review on collection Handbook, on this collection and the 7 contents that inherit from it: nobody loses access, 4 fall, none rise, none gain access.",
    "space/sdk-guides              0     3     0     0",
  ],
  [
    "default@collection/people",
    "Without the default level of collection People (closed), on this collection and the content that inherits from it: nobody loses access, none fall, none rise, 24 gain access.",
    "space/hiring          0     0     0    23",
  ],
  [
    "user/kofi@partner.example@collection/developer-docs",
    "Without Kofi Mensah’s direct review on collection Developer docs, on this collection and the 6 contents that inherit from it: 1 person loses access, none fall, none rise, none gain access.",
    "collection/beta               1     0     0     0",
  ],
  [
    "team/docs",
    "Without team Docs, on the 8 contents that it affects: nobody loses access, 4 fall, none rise, none gain access.",
    "collection/handbook           0     4     0     0",
  ],
])("counts everybody's roles without %s", async (source, sentence, row) => {
  const lines = (await rolebook(["without", source], one)).stdout.split("\n");
  expect(lines[0]).toBe(sentence);
  expect(lines).toContain(row);
});

test("requires the organization, and which of several things with one id", async () => {
  const whose = "There are several organizations; choose one with --organization: acme, other.\n";
  expect(await rolebook(["why", "a b", "same"], two)).toEqual({ status: 2, stdout: "", stderr: whose });
  const which = [
    '"same" may be more than one; choose one by its id:',
    "  space/same  Red  [31m 目次",
    "  collection/same  Same",
    "  site/same  Same\n",
  ].join("\n");
  const ran = await rolebook(["why", "a b", "same", "--organization", "other"], two);
  expect(ran).toEqual({ status: 2, stdout: "", stderr: which });
});

test("prints no control characters, and aligns wide characters", async () => {
  const { stdout } = await rolebook(["why", "a b", "space/same", "--organization", "other"], two);
  // The output has no control characters, which a terminal would interpret, except line ends.
  expect(stdout.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  expect(stdout).toContain("Red  [31m 目次          this space\n  o Direct permission   none\n");
});

test("the command that the explorer shows prints the same in a shell, whatever the user's id", () => {
  for (const user of NAMES) {
    const command = commandFor(user, { kind: "space", id: "same", title: "" }, { organization: "other" });
    const said = execFileSync("sh", ["-c", command], {
      env: { PATH: `${folder}:${process.env.PATH}`, HOME: "/", ...two },
      encoding: "utf8",
    });
    expect(said.split("\n")[0]).toBe(
      `read, because it is Name ${user}’s role in Other and nothing on this space or above it says otherwise.`,
    );
  }
});
