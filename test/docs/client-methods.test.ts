/** The comparison of the client's versions, and the script that makes it. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { gitbookOpenapi } from "../parts/clients.ts";
import { driftOf, methodsIn } from "./client-methods.ts";

test("what is new since 0.91.0: a method, a parameter, required fields", () => {
  const lines = driftOf(gitbookOpenapi("0.91.0"), gitbookOpenapi("newest"));
  expect(lines).toContain("getMemberInOrganizationById: field sites, required");
  expect(lines).toContain("getSpaceById: field mergeRules, required");
  expect(lines).not.toContain("getSpaceById: field revision, required");
  expect(driftOf(gitbookOpenapi("newest"), gitbookOpenapi("newest"))).toEqual([]);
});

test("fields inside fields, and parameters that Rolebook does not have", () => {
  const members = methodsIn(gitbookOpenapi("newest")).get("listTeamMembersInOrganizationById");
  expect(members?.missing).toContainEqual({ path: "organization.joinedAt", isRequired: true });
  expect(methodsIn(gitbookOpenapi("newest")).get("listSites")?.parameters).toContain("published");
});

test("the script says if npm cannot be reached", () => {
  const script = new URL("../../scripts/drift.ts", import.meta.url).pathname;
  const env = { ...process.env, npm_config_registry: "http://127.0.0.1:9", npm_config_fetch_retries: "0" };
  const { status, stderr } = spawnSync(process.execPath, [script], { env, encoding: "utf8" });
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^npm cannot be reached/)]);
});
