import { afterAll, beforeAll, expect, test } from "vitest";
import { textOf } from "../examples/acme.ts";
import { nodesOfCluster, query, urlAt } from "./cluster.ts";

const ALTER = [...textOf("docs/scale.md").matchAll(/^ALTER ROLE (\w+) SET (\w+) = (\w+);$/gm)];
const ROLES = new Set(ALTER.map(([, role = ""]) => role));

beforeAll(async () => {
  for (const role of ROLES) await query(`CREATE ROLE ${role} LOGIN`);
  for (const [statement] of ALTER) await query(statement);
});
afterAll(async () => {
  for (const role of ROLES) await query(`DROP ROLE ${role}`);
});

test("the statements for roles take effect on all nodes", async () => {
  expect(ALTER.length).toBeGreaterThan(6);
  for (const { port } of await nodesOfCluster()) {
    for (const [, role = "", name, value] of ALTER) {
      const url = new URL(urlAt(port));
      url.username = role;
      const [row] = await query("SELECT current_setting($1) AS value", [name], url.href);
      expect([port, role, name, row]).toEqual([port, role, name, { value }]);
    }
  }
});
