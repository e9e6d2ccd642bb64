import { describe, expect, test } from "vitest";

import { utc } from "../date.ts";
import { createdAt, list, member, organization, publicUrl, space, updatedAt } from "./examples.ts";
import { path } from "../listing.ts";
import { type Listing, oracle } from "../oracle.ts";
import { byBytes } from "../order.ts";
import { type SnapshotRecord, toLines } from "../records.ts";

describe("the sent fields and addresses", () => {
  test("a user's fields are sent unchanged, with the id encoded in the default address", () => {
    const records: SnapshotRecord[] = [
      organization(),
      { object: "user", id: "a/b %@", displayName: "A", email: "a@example.org", urls: {} },
      {
        object: "user",
        id: "b",
        displayName: "B",
        photoURL: "https://a.example/p",
        urls: { location: "https://a.example" },
      },
      { object: "member", organization: "o", user: "a/b %@", role: "read" },
      { object: "member", organization: "o", user: "b", role: "read" },
      space("S"),
    ];
    expect(list(records, { endpoint: 3, space: "S" })).toStrictEqual([
      {
        permission: "read",
        user: {
          object: "user",
          id: "a/b %@",
          displayName: "A",
          email: "a@example.org",
          urls: { location: `${publicUrl}/v1/users/a%2Fb%20%25%40` },
        },
      },
      {
        permission: "read",
        user: {
          object: "user",
          id: "b",
          displayName: "B",
          photoURL: "https://a.example/p",
          urls: { location: "https://a.example" },
        },
      },
    ]);
  });

  test("an organization sees only its own description of a user", () => {
    const records: SnapshotRecord[] = [
      organization(),
      organization("p"),
      ...member("U", "read"),
      { object: "member", organization: "p", user: "U", role: "admin" },
      space("S"),
      { object: "space", id: "T", organization: "p", title: "T", createdAt, updatedAt },
    ];
    const answers = oracle(records, { publicUrl });
    expect(answers.effective("o", "U", { kind: "space", id: "S" })).toBe("read");
    expect(answers.effective("o", "U", { kind: "space", id: "T" })).toBeNull();
    expect(answers.effective("p", "U", { kind: "space", id: "T" })).toBe("admin");
    expect(answers.may("o", { kind: "organization" }, { endpoint: 1, space: "T" })).toBe(404);
    expect(answers.list("o", { endpoint: 7, user: "U" })).toHaveLength(1);
    expect(() => answers.listings("q")).toThrow("no organization q");
  });

  test("dates are converted to UTC and cut, never rounded", () => {
    expect(utc("2024-02-29T23:59:59.9999-00:01")).toBe("2024-03-01T00:00:59.999Z");
    expect(utc("1970-01-01T00:59:59.9999999+01:00")).toBe("1969-12-31T23:59:59.999Z");
    expect(utc("0099-12-31T12:00:00Z")).toBe("0099-12-31T12:00:00.000Z");
    expect(() => utc("2025-03-01T09:30:00")).toThrow("no date");
  });

  test("ids are ordered by bytes, not by UTF-16 or a locale", () => {
    const ordered = [
      "",
      "-",
      "0",
      "A",
      "AB",
      "Z",
      "_",
      "a",
      "aB",
      "ab",
      "é",
      "\uFF61",
      "\uFFFD",
      "\u{1F600}",
    ];
    expect(ordered.toReversed().sort(byBytes)).toStrictEqual(ordered);
    expect([...ordered].sort()).not.toStrictEqual(ordered);
  });

  test.each<[Listing, string]>([
    [{ endpoint: 1, space: "abc" }, "/v1/spaces/abc/permissions/users"],
    [{ endpoint: 2, space: "abc" }, "/v1/spaces/abc/permissions/teams"],
    [{ endpoint: 3, space: "abc" }, "/v1/spaces/abc/permissions/aggregate"],
    [{ endpoint: 3, space: "abc", role: "edit" }, "/v1/spaces/abc/permissions/aggregate?role=edit"],
    [{ endpoint: 4, collection: "abc" }, "/v1/collections/abc/permissions/teams"],
    [{ endpoint: 5, collection: "abc" }, "/v1/collections/abc/permissions/users"],
    [
      { endpoint: 6, collection: "abc", role: "admin" },
      "/v1/collections/abc/permissions/aggregate?role=admin",
    ],
    [{ endpoint: 7, user: "a/b" }, "/v1/orgs/o/members/a%2Fb/spaces"],
    [{ endpoint: 7, user: "a b", order: "asc" }, "/v1/orgs/o/members/a%20b/spaces?order=asc"],
    [{ endpoint: 8, site: "w" }, "/v1/orgs/o/sites/w/permissions/aggregate"],
    [{ endpoint: 9, user: "%" }, "/v1/orgs/o/members/%25/teams"],
    [{ endpoint: 9, user: "@", title: "" }, "/v1/orgs/o/members/%40/teams?title="],
    [{ endpoint: 9, user: "u", title: "É+ %" }, "/v1/orgs/o/members/u/teams?title=%C3%89%2B%20%25"],
  ])("%j is at %s", (listing, expected) => {
    expect(path("o", listing)).toBe(expected);
  });

  test("a snapshot file has one record per line", () => {
    expect(toLines([organization(), organization("p")])).toBe(
      '{"object":"organization","id":"o","title":"o"}\n{"object":"organization","id":"p","title":"p"}\n',
    );
    expect(toLines([])).toBe("");
  });
});
