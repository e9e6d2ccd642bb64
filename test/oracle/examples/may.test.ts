import { describe, expect, test } from "vitest";

import { collection, member, onCollection, organization, publicUrl, site, space } from "./examples.ts";
import { type Caller, type Listing, type Verdict, oracle } from "../oracle.ts";

describe("who may list what (section 7)", () => {
  const records = [
    organization(),
    ...member("admin", "admin"),
    ...member("creator", "create"),
    ...member("reviewer", "review"),
    ...member("guest", null),
    collection("C", { defaultLevel: null }),
    space("S"),
    ...site("W", ["S"]),
    onCollection("C", { user: "guest" }, "create"),
    onCollection("C", { user: "reviewer" }, "edit"),
  ];
  const callers: Caller[] = [
    { kind: "organization" },
    ...["admin", "creator", "reviewer", "guest"].map((user): Caller => ({ kind: "member", user })),
  ];

  //                                        token, admin, creator, reviewer, guest
  const table: [Listing, Verdict[]][] = [
    [{ endpoint: 1, space: "S" }, [200, 200, 200, 403, 404]],
    [{ endpoint: 2, space: "S" }, [200, 200, 200, 403, 404]],
    [{ endpoint: 3, space: "S", role: "read" }, [200, 200, 200, 403, 404]],
    [{ endpoint: 3, space: "absent" }, [404, 404, 404, 404, 404]],
    [{ endpoint: 4, collection: "C" }, [200, 200, 404, 403, 200]],
    [{ endpoint: 5, collection: "C" }, [200, 200, 404, 403, 200]],
    [{ endpoint: 6, collection: "C" }, [200, 200, 404, 403, 200]],
    [{ endpoint: 6, collection: "S" }, [404, 404, 404, 404, 404]],
    [{ endpoint: 7, user: "guest" }, [200, 200, 403, 403, 200]],
    [{ endpoint: 7, user: "absent" }, [404, 404, 403, 403, 403]],
    [{ endpoint: 8, site: "W" }, [200, 200, 403, 403, 403]],
    [{ endpoint: 8, site: "absent" }, [404, 404, 403, 403, 403]],
    [{ endpoint: 9, user: "reviewer" }, [200, 200, 403, 200, 403]],
    [{ endpoint: 9, user: "absent", title: "x" }, [404, 404, 403, 403, 403]],
  ];

  test.each(table)("%j gives %j", (listing, expected) => {
    const answers = oracle(records, { publicUrl });
    expect(callers.map((caller) => answers.may("o", caller, listing))).toStrictEqual(expected);
  });

  test("the oracle refuses a caller who is not a member, because such a token cannot exist", () => {
    const answers = oracle(records, { publicUrl });
    const gone: Caller = { kind: "member", user: "x" };
    expect(() => answers.may("o", gone, { endpoint: 1, space: "S" })).toThrow("x is no member");
    expect(() => answers.may("o", gone, { endpoint: 1, space: "absent" })).toThrow("x is no member");
  });
});
