/**
 * docs/systemd: the units have the promised settings, and systemd accepts them. Without systemd, the test's name says
 * so.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf } from "../examples/acme.ts";

const root = new URL("../../", import.meta.url).pathname;
const names = readdirSync(join(root, "docs/systemd"));
const services = names.filter((name) => name.endsWith(".service"));
const PULLS = "rolebook-pull.service";

/** The values of a setting in a unit, in order. */
function given(unit: string, setting: string): string[] {
  const lines = textOf(`docs/systemd/${unit}`).matchAll(/^(\w+)=(.*)$/gm);
  return [...lines].filter(([, name]) => name === setting).map(([, , value = ""]) => value);
}

test("there are units that serve, pull, import, schedule, and report a failure", () => {
  expect(names.sort()).toEqual([
    "rolebook",
    "rolebook-failed@.service",
    "rolebook-import.service",
    "rolebook-import.timer",
    "rolebook-pull.service",
    "rolebook.service",
  ]);
  const page = textOf("docs/operations.md");
  for (const name of names) expect(page).toContain(`](systemd/${name})`);
});

test("every failure is reported, but not that of the reporting unit", () => {
  for (const name of names.filter((each) => each.includes("."))) {
    const wanted = name.startsWith("rolebook-failed") ? [] : ["rolebook-failed@%n.service"];
    expect(given(name, "OnFailure"), name).toEqual(wanted);
  }
});

test("only the unit that pulls may use the network, and it cannot see the database", () => {
  for (const name of services) {
    const alone = given(name, "PrivateNetwork")[0] === "yes";
    const here = given(name, "IPAddressDeny")[0] === "any";
    expect([name, alone || here]).toEqual([name, name !== PULLS]);
    for (const allowed of given(name, "IPAddressAllow")) expect(allowed).toBe("localhost");
  }
  expect(given(PULLS, "InaccessiblePaths")).toEqual(["-/var/lib/rolebook"]);
  expect(given(PULLS, "EnvironmentFile")).toEqual([]);
});

test("a server is restarted after a failure, unless that would not help", () => {
  expect(given("rolebook.service", "Restart")).toEqual(["on-failure"]);
  expect(given("rolebook.service", "RestartPreventExitStatus")).toEqual(["2"]);
  expect(given("rolebook.service", "StartLimitIntervalSec")).toEqual(["0"]);
  expect(Number(given("rolebook.service", "TimeoutStopSec")[0])).toBeGreaterThan(30);
});

/**
 * Checks a unit with systemd-analyze. Missing executables are no error here, because the units name installed
 * paths.
 */
function analyze(...args: string[]) {
  return spawnSync("systemd-analyze", ["--no-pager", ...args], { cwd: folder, encoding: "utf8" });
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rolebook-units-"));
  for (const name of names) {
    const text = textOf(`docs/systemd/${name}`);
    writeFileSync(
      join(folder, name),
      text.replaceAll(/\/opt\/rolebook\/\S+\/node /g, `${process.execPath} `),
    );
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const found = spawnSync("systemd-analyze", ["--version"]).status === 0;
const tried = found ? "" : ": NOT TRIED, there is no systemd-analyze here";

describe("systemd", () => {
  const units = found ? names.filter((name) => name.includes(".")) : [];

  test(`accepts every unit without a message${tried}`, () => {
    for (const name of units) {
      const { status, stdout, stderr } = analyze("verify", `./${name.replace("@.", "@x.")}`);
      expect([name, status, stdout + stderr]).toEqual([name, 0, ""]);
    }
  });

  test(`finds the exposure of every service at most 2.0${tried}`, () => {
    for (const name of units.filter((each) => services.includes(each))) {
      const { status, stdout } = analyze("security", "--offline=true", "--threshold=20", `./${name}`);
      const [, exposure] = /exposure level for \S+ (\d+\.\d)/.exec(stdout) ?? [];
      expect([name, status], stdout).toEqual([name, 0]);
      expect(Number(exposure), name).toBeLessThanOrEqual(2);
    }
  });
});
