/** examples/producer.ts and examples/producer.py print the same snapshot. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { validate } from "../../src/snapshot/validate.ts";
import { oracle } from "../oracle/oracle.ts";
import { recordsIn, textOf } from "./acme.ts";
import { HANG } from "../setup/hang.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const sheets = ["examples/people.csv", "examples/access.csv"];

/** The number of rows of a spreadsheet, without its head. */
function rows(path: string): number {
  return textOf(path).trim().split("\n").length - 1;
}

/** The output of a producer. Throws and names the missing program if this machine does not have it. */
function run(program: string, script: string) {
  const { status, stdout, stderr, error } = spawnSync(program, [script, ...sheets], {
    cwd: root,
    encoding: "utf8",
    timeout: HANG,
  });
  if (error !== undefined && "code" in error && error.code === "ENOENT") {
    throw new Error(`${program} is not on this machine: install it to test ${script}`);
  }
  if (error !== undefined) throw error;
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const lines = stdout.trimEnd().split("\n");
  expect(JSON.parse(lines.at(-1) ?? "")).toEqual({ object: "end", records: lines.length - 1 });
  return recordsIn(lines.slice(0, -1).join("\n"));
}

test("both print the same records", () => {
  expect(run("python3", "examples/producer.py")).toEqual(run(process.execPath, "examples/producer.ts"));
});

test("their output is accepted", () => {
  for (const record of run(process.execPath, "examples/producer.ts")) {
    expect(validate(record)).toEqual(record);
  }
});

test("their output matches the spreadsheets", () => {
  const printed = run(process.execPath, "examples/producer.ts");
  const answers = oracle(printed, { publicUrl: "http://localhost:3000" });
  const handbook = { kind: "space", id: "client-handbook" } as const;
  const launch = { kind: "space", id: "acme-launch-plan" } as const;
  const role = (user: string, content: typeof handbook | typeof launch) =>
    answers.effective("northlight", user, content);

  expect(role("kofi@partner.example", handbook)).toBe("admin");
  expect(role("mei@partner.example", handbook)).toBe("edit");
  expect(role("zanele@partner.example", handbook)).toBe("review");
  expect(role("jonas@partner.example", handbook)).toBe("read");
  expect(role("ana.lima@acme.example", handbook)).toBe(null);
  expect(role("ana.lima@acme.example", launch)).toBe("comment");

  expect(printed.filter(({ object }) => object === "member")).toHaveLength(rows("examples/people.csv"));
  expect(printed.filter(({ object }) => object === "permission")).toHaveLength(rows("examples/access.csv"));
});

test("both are short", () => {
  for (const path of ["examples/producer.ts", "examples/producer.py"]) {
    const lines = textOf(path)
      .split("\n")
      .filter((line) => line.trim() !== "");
    expect(lines.length).toBeLessThanOrEqual(23);
  }
});
