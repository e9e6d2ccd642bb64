/** A larger organization that is removed, beside Acme, which stays. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { snapshotLines } from "../../bench/data.ts";
import { type Ran, rolebook } from "../command.ts";

export const GONE = "bench";
/** In every address of {@link GONE}. */
const DOMAIN = "gone.example";

/** Imports both organizations, so that {@link GONE} has a past and a token, too. */
export async function importBoth(url: string, folder: string): Promise<void> {
  const gone: string[] = [];
  for await (const line of snapshotLines("S"))
    gone.push(line.replace(/(?<="email":"[^"]*)@[^"]+/, `@${DOMAIN}`));
  expect(gone.filter((line) => line.includes(DOMAIN)).length).toBeGreaterThan(900);
  const file = join(folder, "gone.ndjson");
  for (const title of ["Gone", "Gone & Sons"]) {
    writeFileSync(file, gone.join("\n").replace('"Bench & Sons"', JSON.stringify(title)));
    await run(url, "import", file);
  }
  await run(url, "token", "create", "--organization", GONE);
  await run(url, "import", "examples/acme.ndjson");
}

/** Runs a command that must succeed. */
export async function run(url: string, ...args: string[]): Promise<Ran> {
  const ran = await rolebook(args, { ROLEBOOK_DATABASE_URL: url });
  expect(ran, `${args.join(" ")}: ${ran.stderr}`).toMatchObject({ status: 0 });
  return ran;
}

/** How often addresses, the id and the title of {@link GONE} are in the bytes of files. */
export function tracesIn(...files: string[]): number {
  const texts = files.map((file) => readFileSync(file).toString("latin1"));
  return texts.reduce((sum, text) => sum + text.split(/gone\.example|Gone & Sons|bench/).length - 1, 0);
}
