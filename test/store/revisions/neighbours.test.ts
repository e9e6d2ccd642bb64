import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applyChange } from "../../../src/snapshot/changes/apply.ts";
import { readChange } from "../../../src/snapshot/changes/read.ts";
import type { Engine } from "../../../src/store/engine/engine.ts";
import { openEngine } from "../../../src/store/engine/open.ts";
import { Store } from "../../../src/store/store.ts";
import { createToken, listTokens, revokeToken } from "../../../src/store/tokens.ts";
import { type Recorder, recorded } from "../../postgres/recorder.ts";
import { YEARLY, yearly } from "../../postgres/yearly.ts";
import { usePostgres } from "../../postgres/use.ts";
import { type OpenPlace, sqlitePlace, World } from "../../world.ts";

const HAMLET = "hamlet";
const HAMLET_PATHS = [
  "/v1/spaces/h/permissions/aggregate",
  `/v1/orgs/${HAMLET}/members/hal/teams`,
  "/at/1/v1/spaces/h/permissions/users",
];
const DATE = "2025-03-01T09:30:00.000Z";
const CHANGES = 4;

const postgres = usePostgres();
const STORES: readonly [name: string, open: OpenPlace][] = [
  ["SQLite", sqlitePlace],
  ["PostgreSQL", () => postgres.places.open()],
];

describe.each(STORES)(
  "on %s, a change of one organization does not clear the caches of others",
  (_, open) => {
    let recorder: Recorder;
    let serving: World;
    /** A second engine. For the database, it is another process. */
    let other: Engine;
    beforeAll(async () => {
      const place = await open();
      other = await openEngine(place.url);
      recorder = recorded(await openEngine(place.url));
      serving = new World(place, new Store(recorder.engine), {});
      await serving.import([
        { object: "organization", id: HAMLET, title: "Hamlet" },
        { object: "user", id: "hal", displayName: "Hal" },
        { object: "member", organization: HAMLET, user: "hal", role: "admin" },
        { object: "space", id: "h", organization: HAMLET, title: "H", createdAt: DATE, updatedAt: DATE },
      ]);
      await serving.import(yearly(1));
    });
    afterAll(async () => {
      await other.close();
      await serving.close();
    });

    let changes = 0;
    /** Gives a member another role than before, and returns it. */
    async function change(): Promise<string> {
      const role = changes++ % 2 === 0 ? "edit" : "review";
      const records = [
        { object: "changes", organization: YEARLY },
        { object: "permission", space: "a", user: "u00003", permission: role },
      ];
      const pieces = Readable.from([records.map((record) => JSON.stringify(record)).join("\n")]);
      const read = await readChange({ name: "change", pieces }, false, () => {});
      expect((await applyChange(other, read)).changed).toBe(true);
      return role;
    }

    test("while one organization changes, cached pages of another need no statement", async () => {
      const tokens = [await serving.token(HAMLET), await serving.token(HAMLET, "hal")];
      const token = await serving.token(YEARLY);
      const paths = HAMLET_PATHS.flatMap((path) => tokens.map((token) => [path, token] as const));
      for (const [path, token] of paths) expect((await serving.get(path, token)).status, path).toBe(200);
      // A process that was not heard of for longer than the lease asks once; then another change is tried.
      const statementsAfterAChange = async () => {
        const role = await change();
        recorder.forget();
        for (const [path, token] of paths) expect((await serving.get(path, token)).status, path).toBe(200);
        const { waits } = recorder;
        const { items } = await serving.page("/v1/spaces/a/permissions/users", token);
        expect(items).toMatchObject([{ user: { id: "u00003" }, permission: role }]);
        return waits;
      };
      for (let times = 0; times < CHANGES; times++) await expect.poll(statementsAfterAChange).toBe(0);
    });

    test("a token that is revoked between changes of others is refused by the next request", async () => {
      const [path = ""] = HAMLET_PATHS;
      const token = await createToken(serving.store, { organization: HAMLET, name: "short" });
      expect((await serving.get(path, token)).status).toBe(200);
      await change();
      const { id = "" } = (await listTokens(other)).find(({ name }) => name === "short") ?? {};
      await revokeToken(other, id);
      await change();
      expect((await serving.get(path, token)).status).toBe(401);
    });
  },
);
