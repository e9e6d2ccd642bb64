import { describe, expect, test } from "vitest";
import { ADDED, BASE, useRefusing, withLines } from "./refusing.ts";

/** Every error of docs/snapshot.md names file, line, field, value and accepted values, and changes no list. */

const refusing = useRefusing();

const ROLES = "read, comment, edit, review, create, admin";
const ID = "1 to 128 of the characters A-Z a-z 0-9 _ -";
const USER_ID = "1 to 255 characters, none of them a control character, and not . or ..";
const TEXT = "well-formed text without U+0000";
const DATE_ACCEPTED = "an RFC 3339 date and time with an offset, such as 2025-03-01T09:30:00Z";
const COUNT = "a whole number from 0 to 9007199254740991";
const URL_ACCEPTED = "an absolute http or https URL";
const DATE = "2025-01-01T00:00:00Z";

type Fields = Readonly<Record<string, unknown>>;

const GOOD: Readonly<Record<string, Fields>> = {
  organization: { object: "organization", id: "new", title: "" },
  user: { object: "user", id: "new", displayName: "" },
  member: { object: "member", organization: "p", user: "ana", role: "read" },
  team: { object: "team", id: "new", organization: "o", title: "", createdAt: DATE },
  teamMember: { object: "teamMember", team: "t", user: "ben", role: "member" },
  collection: { object: "collection", id: "new", organization: "o", title: "" },
  space: { object: "space", id: "new", organization: "o", title: "", createdAt: DATE, updatedAt: DATE },
  site: { object: "site", id: "new", organization: "o", title: "" },
  siteSpace: { object: "siteSpace", site: "new", space: "s" },
  permission: { object: "permission", space: "s", user: "ana", permission: "read" },
};

/** A record of a kind with other fields; `undefined` removes a field. */
function but(kind: string, fields: Fields): string {
  return JSON.stringify({ ...GOOD[kind], ...fields });
}

/**
 * The lines that are added to the base, and the expected message without file and line. `at` is the index of the wrong
 * line among the added ones.
 */
type Row = readonly [name: string, lines: readonly string[], message: string, at?: number];

function wrong(
  kind: string,
  field: string,
  value: unknown,
  accepted: string,
  shown = JSON.stringify(value),
): Row {
  const [outer = "", inner] = field.split(".");
  const fields = inner === undefined ? { [outer]: value } : { [outer]: { [inner]: value } };
  const optional = value === null && !(outer in (GOOD[kind] ?? {}));
  const advice = optional ? "; omit the field if it has no value" : "";
  return [
    `${kind}.${field} ${shown.slice(0, 30)}`,
    [but(kind, fields)],
    `${kind}.${field} is ${shown}; accepted: ${accepted}${advice}`,
  ];
}

const LONG = "a".repeat(129);

const FIELDS: readonly Row[] = [
  ...["organization", "team", "collection", "space", "site"].flatMap((kind) => [
    wrong(kind, "id", "", ID),
    wrong(kind, "id", "a b", ID),
    wrong(kind, "id", "é", ID),
    wrong(kind, "id", LONG, ID, `"${LONG.slice(0, 99)}…`),
    wrong(kind, "id", 7, ID),
    wrong(kind, "title", "a\0b", TEXT, '"a\\u0000b"'),
    wrong(kind, "title", "\ud800", TEXT, '"\\ud800"'),
    wrong(kind, "title", null, TEXT),
    wrong(kind, "title", undefined, TEXT, "missing"),
  ]),
  ...["team", "collection", "space", "site", "member"].map((kind) => wrong(kind, "organization", "a/b", ID)),
  ...["", ".", "..", "a\nb", "a\u0085b", "\ud800", "x".repeat(256), 1, null].map((id) =>
    wrong("user", "id", id, USER_ID, shown(id)),
  ),
  ...["a\0", "\udc00x"].flatMap((text) => [
    wrong("user", "displayName", text, TEXT, shown(text)),
    wrong("user", "email", text, TEXT, shown(text)),
    wrong("space", "emoji", text, TEXT, shown(text)),
    wrong("space", "revision", text, TEXT, shown(text)),
    wrong("space", "gitSync.repoName", text, TEXT, shown(text)),
    wrong("space", "gitSync.integration", text, TEXT, shown(text)),
  ]),
  ...["", "docs", "//x.example", "ftp://x.example", "javascript:alert(1)", "http://", "http://a b"].flatMap(
    (url) => [
      wrong("user", "photoURL", url, URL_ACCEPTED),
      wrong("user", "urls.location", url, URL_ACCEPTED),
      wrong("space", "gitSync.url", url, URL_ACCEPTED),
    ],
  ),
  ...["location", "app", "published", "public", "icon"].map((name) =>
    wrong("space", `urls.${name}`, "x", URL_ACCEPTED),
  ),
  ...["comments", "changeRequests", "changeRequestsOpen", "changeRequestsDraft"].flatMap((name) => [
    wrong("space", name, -1, COUNT),
    wrong("space", name, 1.5, COUNT),
    wrong("space", name, 2 ** 53, COUNT),
    wrong("space", name, "1", COUNT),
    wrong("space", name, null, COUNT),
  ]),
  ...[
    "2025-01-01",
    "2025-01-01T00:00:00",
    "2025-02-30T00:00:00Z",
    "2025-01-01T24:00:00Z",
    "2025-01-01 00:00:00Z",
    "",
    0,
    null,
  ].flatMap((date) => [
    wrong("team", "createdAt", date, DATE_ACCEPTED),
    wrong("space", "createdAt", date, DATE_ACCEPTED),
    wrong("space", "updatedAt", date, DATE_ACCEPTED),
    wrong("space", "deletedAt", date, DATE_ACCEPTED),
    wrong("space", "gitSync.updatedAt", date, DATE_ACCEPTED),
  ]),
  wrong(
    "space",
    "visibility",
    "Public",
    "public, unlisted, share-link, visitor-auth, in-collection, private",
  ),
  wrong("space", "editMode", "dead", "live, locked"),
  wrong("space", "visitorAuth.backend", "none", "custom, integration"),
  wrong("space", "gitSync.installationProvider", "svn", "github, gitlab, github-legacy"),
  wrong("space", "urls", "x", "an object with location, app, published, public, icon"),
  wrong("space", "urls", null, "an object with location, app, published, public, icon"),
  wrong("space", "gitSync", [], "an object with repoName, installationProvider, integration, url, updatedAt"),
  wrong("user", "urls", 1, "an object with location"),
  wrong("space", "parent", null, ID),
  wrong("collection", "parent", "", ID),
  wrong("member", "role", "owner", `${ROLES}, or null for a guest`),
  wrong("member", "role", undefined, `${ROLES}, or null for a guest`, "missing"),
  wrong("teamMember", "role", null, "owner, member"),
  wrong("teamMember", "role", "admin", "owner, member"),
  wrong("collection", "defaultLevel", "none", `${ROLES}, inherit, or null for closed`),
  wrong("space", "defaultLevel", "", `${ROLES}, inherit, or null for closed`),
  wrong("site", "defaultLevel", "closed", `${ROLES}, inherit, or null for closed`),
  wrong("permission", "permission", "ADMIN", `${ROLES}, or null for no access to a site`),
  wrong("permission", "permission", null, `${ROLES}, or null for no access to a site`),
  wrong("permission", "permission", undefined, `${ROLES}, or null for no access to a site`, "missing"),
  wrong("siteSpace", "site", undefined, ID, "missing"),
  wrong("siteSpace", "space", 0, ID),
  wrong("teamMember", "team", undefined, ID, "missing"),
  wrong("teamMember", "user", undefined, USER_ID, "missing"),
];

function shown(value: unknown): string {
  const json = JSON.stringify(value).replaceAll("\u0085", "\\u0085");
  return json.length <= 100 ? json : `${json.slice(0, 100)}…`;
}

const LINES: readonly Row[] = [
  ["no JSON", ["{oops"], 'the line is "{oops"; accepted: one JSON object'],
  [
    "two objects",
    ['{"object":"x"} {}'],
    'the line is "{\\"object\\":\\"x\\"} {}"; accepted: one JSON object',
  ],
  ["an array", ["[1]"], "the line is [1]; accepted: a JSON object"],
  ["a text", ['"x"'], 'the line is "x"; accepted: a JSON object'],
  ["null", ["null"], "the line is null; accepted: a JSON object"],
  [
    "a cut line",
    [but("user", {}).slice(0, 30)],
    `the line is ${JSON.stringify(but("user", {}).slice(0, 30))}; accepted: one JSON object`,
  ],
  [
    "no kind",
    ["{}"],
    "object is undefined; accepted: organization, user, member, team, teamMember, collection, space, site, siteSpace, permission, end",
  ],
  [
    "an unknown kind",
    ['{"object":"group","id":"x"}'],
    'object is "group"; accepted: organization, user, member, team, teamMember, collection, space, site, siteSpace, permission, end',
  ],
  [
    "an unknown field",
    [but("site", { colour: "red" })],
    'site.colour is "red"; accepted fields of site: object, id, organization, title, defaultLevel',
  ],
  [
    "a computed field",
    [but("team", { members: 3 })],
    "team.members is 3; accepted fields of team: object, id, organization, title, createdAt",
  ],
  [
    "an unknown field inside",
    [but("user", { urls: { home: 1 } })],
    "user.urls.home is 1; accepted fields of user.urls: location",
  ],
  [
    "a permission on nothing",
    [but("permission", { space: undefined })],
    "permission has no space, collection or site; accepted: one of them",
  ],
  [
    "a permission on two",
    [but("permission", { collection: "c" })],
    "permission has both space and collection; accepted: one of them",
  ],
  [
    "a permission on a space and a site",
    [but("permission", { site: "w" })],
    "permission has both space and site; accepted: one of them",
  ],
  [
    "a permission for nobody",
    [but("permission", { user: undefined })],
    "permission has no user or team; accepted: one of them",
  ],
  [
    "a permission for two",
    [but("permission", { team: "t" })],
    "permission has both user and team; accepted: one of them",
  ],
  [
    "a field twice",
    ['{"object":"site","id":"a","id":"b","organization":"o","title":""}'],
    'site has the field "id" twice; accepted: each field once',
  ],
];

function again(kind: string, fields: Fields, message: string): Row {
  return [`${kind} again`, [but(kind, fields)], message];
}

/** The line of the base's record with these fields. */
function lineOf(fields: Fields): number {
  const has = (record: object) =>
    Object.entries(fields).every(([name, value]) => Reflect.get(record, name) === value);
  return BASE.findIndex(has) + 1;
}

const once = (kind: string, value: string) =>
  `${kind}.id is "${value}" a second time, first at wrong.ndjson:${lineOf({ object: kind, id: value })}; accepted: each ${kind} id once in an import`;

/** The message for a repeated pair; `fields` are those of the base's record. */
const twice = (is: string, fields: Fields, pair: string) =>
  `${is}, first at wrong.ndjson:${lineOf(fields)}; accepted: each pair of ${pair} once in an import`;

const ON_SITE = but("permission", { space: undefined, site: "w", permission: null });
const OF_TEAM_ON_SITE = but("permission", { space: undefined, site: "w", user: undefined, team: "t" });

const RELATIONS: readonly Row[] = [
  again("organization", { id: "o" }, once("organization", "o")),
  again("team", { id: "t" }, once("team", "t")),
  again("collection", { id: "c" }, once("collection", "c")),
  again("space", { id: "s" }, once("space", "s")),
  again("site", { id: "w" }, once("site", "w")),
  ["an id of another organization", [but("team", { id: "tp" })], once("team", "tp")],
  again(
    "user",
    { id: "ana" },
    `user.id is "ana" a second time with another description, first at wrong.ndjson:${lineOf({ object: "user", id: "ana" })}; accepted: one description of each user (repeats must be identical)`,
  ),
  again(
    "member",
    { organization: "o" },
    twice(
      'member.user is "ana" a second time of organization o',
      { object: "member", user: "ana" },
      "organization and user",
    ),
  ),
  again(
    "teamMember",
    { user: "ana" },
    twice(
      'teamMember.user is "ana" a second time in team t',
      { object: "teamMember", user: "ana" },
      "team and user",
    ),
  ),
  again(
    "siteSpace",
    { site: "w" },
    twice('siteSpace.space is "s" a second time on site w', { object: "siteSpace" }, "site and space"),
  ),
  again(
    "permission",
    { user: "ben" },
    twice(
      'permission.user is "ben" a second time on space s',
      { object: "permission", space: "s", user: "ben" },
      "space and user",
    ),
  ),
  again(
    "permission",
    { user: undefined, team: "t" },
    twice(
      'permission.team is "t" a second time on space s',
      { object: "permission", space: "s", team: "t" },
      "space and team",
    ),
  ),
  again(
    "permission",
    { space: undefined, collection: "c", user: "ben" },
    twice(
      'permission.user is "ben" a second time on collection c',
      { object: "permission", collection: "c", user: "ben" },
      "collection and user",
    ),
  ),
  again(
    "permission",
    { space: undefined, collection: "c", user: undefined, team: "t" },
    twice(
      'permission.team is "t" a second time on collection c',
      { object: "permission", collection: "c", team: "t" },
      "collection and team",
    ),
  ),
  [
    "permission on a site for a user again",
    [ON_SITE, ON_SITE],
    `permission.user is "ana" a second time on site w, first at wrong.ndjson:${BASE.length + 1}; accepted: each pair of site and user once in an import`,
    1,
  ],
  [
    "permission on a site for a team again",
    [OF_TEAM_ON_SITE, OF_TEAM_ON_SITE],
    `permission.team is "t" a second time on site w, first at wrong.ndjson:${BASE.length + 1}; accepted: each pair of site and team once in an import`,
    1,
  ],
  ...["member", "team", "collection", "space", "site"].map((kind): Row => [
    `${kind} of an organization without a record`,
    [but(kind, { organization: "q" })],
    `${kind}.organization is "q"; accepted: an organization with a record in this import`,
  ]),
  [
    "a member without a user",
    [but("member", { user: "nobody" })],
    'member.user is "nobody"; accepted: a user with a record in this import',
  ],
  [
    "a team that is not there",
    [but("teamMember", { team: "x" })],
    'teamMember.team is "x"; accepted: a team with a record in this import',
  ],
  [
    "a team member from elsewhere",
    [but("teamMember", { user: "eve" })],
    'teamMember.user is "eve"; accepted: a member of organization o',
  ],
  ...["collection", "space"].flatMap((kind): Row[] => [
    [
      `a ${kind} in nothing`,
      [but(kind, { parent: "x" })],
      `${kind}.parent is "x"; accepted: the id of a collection of organization o`,
    ],
    [
      `a ${kind} in a space`,
      [but(kind, { parent: "s" })],
      `${kind}.parent is "s"; accepted: the id of a collection of organization o`,
    ],
    [
      `a ${kind} in a collection of another organization`,
      [but(kind, { parent: "cp" })],
      `${kind}.parent is "cp"; accepted: the id of a collection of organization o`,
    ],
  ]),
  [
    "a site that is not there",
    [but("siteSpace", {})],
    'siteSpace.site is "new"; accepted: a site with a record in this import',
  ],
  [
    "a site's space that is not there",
    [but("siteSpace", { site: "w", space: "x" })],
    'siteSpace.space is "x"; accepted: a space of organization o',
  ],
  [
    "a site's space of another organization",
    [but("siteSpace", { site: "w", space: "sp" })],
    'siteSpace.space is "sp"; accepted: a space of organization o',
  ],
  [
    "a permission on a space that is not there",
    [but("permission", { space: "c" })],
    'permission.space is "c"; accepted: a space with a record in this import',
  ],
  [
    "a permission on a collection that is not there",
    [but("permission", { space: undefined, collection: "s" })],
    'permission.collection is "s"; accepted: a collection with a record in this import',
  ],
  [
    "a permission on a site that is not there",
    [but("permission", { space: undefined, site: "s" })],
    'permission.site is "s"; accepted: a site with a record in this import',
  ],
  [
    "a permission on a site for no member",
    [but("permission", { space: undefined, site: "w", user: "eve" })],
    'permission.user is "eve"; accepted: a member of organization o',
  ],
  [
    "a permission on a site for another organization's team",
    [but("permission", { space: undefined, site: "w", user: undefined, team: "tp" })],
    'permission.team is "tp"; accepted: a team of organization o',
  ],
  [
    "a permission for no member",
    [but("permission", { user: "eve" })],
    'permission.user is "eve"; accepted: a member of organization o',
  ],
  [
    "a permission for another organization's team",
    [but("permission", { user: undefined, team: "tp" })],
    'permission.team is "tp"; accepted: a team of organization o',
  ],
  [
    "a collection in itself",
    [but("collection", { parent: "new" })],
    'collection.parent is "new"; accepted: collections without a cycle',
  ],
  [
    "collections in each other",
    [but("collection", { id: "x", parent: "y" }), but("collection", { id: "y", parent: "x" })],
    'collection.parent is "y"; accepted: collections without a cycle',
  ],
  [
    "33 collections in each other",
    Array.from({ length: 33 }, (_, index) =>
      but("collection", { id: `n${index}`, parent: index === 0 ? undefined : `n${index - 1}` }),
    ),
    'collection.parent is "n31"; accepted: collections nested at most 32 deep',
    32,
  ],
];

const CLASSES: Readonly<Record<string, readonly Row[]>> = {
  fields: FIELDS,
  lines: LINES,
  relations: RELATIONS,
};

for (const [name, rows] of Object.entries(CLASSES)) {
  describe(name, () => {
    for (const [what, lines, message, at = 0] of rows) {
      test(what, async () => {
        const [first] = (await refusing.current.refusal(withLines(...lines))).split("\n");
        expect(first).toBe(`wrong.ndjson:${ADDED + at}: ${message}`);
      });
    }
  });
}

describe("files", () => {
  test("without an organization", async () => {
    const lines = BASE.filter(({ object }) => object === "user").map((record) => JSON.stringify(record));
    expect(await refusing.current.refusal(lines.join("\n"))).toBe(
      "wrong.ndjson: there is no organization record; accepted: at least one. Nothing was changed.",
    );
    for (const empty of ["", "\n\n", "\ufeff", "  \r\n"])
      expect(await refusing.current.refusal(empty)).toContain("no organization record");
  });

  test("of many wrong lines the first twenty are reported, then the number of others", async () => {
    const lines = Array.from({ length: 57 }, (_, index) => but("team", { id: `t ${index}` }));
    const told = (await refusing.current.refusal(withLines(...lines))).split("\n");
    expect(told).toHaveLength(22);
    expect(told[0]).toContain(`:${ADDED}: team.id is "t 0"`);
    expect(told[19]).toContain(`:${ADDED + 19}: team.id is "t 19"`);
    expect(told.slice(20)).toEqual(["… and 37 more.", "Nothing was changed."]);
    const related = lines.map((_, index) => but("member", { user: `nobody${index}` }));
    const others = (await refusing.current.refusal(withLines(...related))).split("\n");
    expect(others[19]).toContain(`:${ADDED + 19}: member.user is "nobody19"`);
    expect(others.slice(20)).toEqual(["… and 37 more.", "Nothing was changed."]);
  });

  test("the removal of all permissions, unless that is allowed", async () => {
    const { importFiles } = await import("../../../src/snapshot/import.ts");
    const fewer = BASE.filter(({ object }) => object !== "permission").map((record) =>
      JSON.stringify(record),
    );
    const file = refusing.current.world.file(fewer.join("\n"));
    await expect(importFiles(refusing.current.world.store.engine, [file])).rejects.toThrow(
      "Refused, and nothing was changed: organization o (O)\n  4 of 4 permissions would go:\n",
    );
  });
});
