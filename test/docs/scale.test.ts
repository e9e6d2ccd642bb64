/** The commands of docs/scale.md agree with the schema. */
import { expect, test } from "vitest";
import { GENERATION_TABLES } from "../../src/store/schema/tables.ts";
import { SESSION } from "../../src/store/engine/postgres/pool.ts";
import { textOf } from "../examples/acme.ts";
import { PROXIES, configured } from "../postgres/network/real-proxy.ts";

const text = textOf("docs/scale.md");

test("the statements for Citus distribute every table whose key begins with the generation, and no other", () => {
  const distributed = namesIn(
    /create_distributed_table\('(\w+)', 'generation'(?:, colocate_with => 'member_row')?\);/g,
  );
  expect([...distributed].sort()).toEqual([...GENERATION_TABLES].sort());
  expect(text.match(/create_\w+_table\(/g)).toHaveLength(distributed.length);
  // The other tables are colocated with the first one.
  expect(distributed[0]).toBe("member_row");
  expect(text.match(/colocate_with => 'member_row'/g)).toHaveLength(distributed.length - 1);
});

test("the role for a Citus cluster has the session settings of requests", () => {
  const settings = [...SESSION.matchAll(/SET ((?:enable_|join_|jit)\w* = \w+)/g)].map(
    ([, setting]) => setting,
  );
  expect(settings.length).toBeGreaterThan(0);
  expect(settings).toContain("jit = off");
  expect(namesIn(/ALTER ROLE rolebook SET (\w+ = \w+);/g)).toEqual(settings);
  expect(namesIn(/ALTER ROLE rolebook_import SET (\w+ = \w+);/g)).toEqual(["jit = off"]);
});

// `npm run test:long -- load` runs them.
test.each(PROXIES.map((proxy) => [proxy.name, proxy] as const))(
  "the configurations of %s have what the tests of them replace",
  (_, proxy) => {
    for (const form of ["at the root", "under a path"] as const) {
      const text = configured(proxy, form, { folder: "/folder", port: 1, ports: [2, 3] });
      expect(text).not.toMatch(/PORT|443|10\.0\.0|\/etc/);
      expect(text.includes("/rolebook/")).toBe(form === "under a path");
    }
  },
);

function namesIn(pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = ""]) => name);
}
