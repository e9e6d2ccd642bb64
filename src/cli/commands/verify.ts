import { CommandError } from "../../domain/error.ts";
import { type Verified, verify } from "../../snapshot/verify.ts";
import { listOrganizations } from "../../store/revisions/organizations.ts";
import { withExistingStore } from "../database.ts";
import { print, say } from "../terminal.ts";

export interface VerifyArguments {
  readonly organization?: string;
  readonly repair?: boolean;
  readonly database?: string;
}

/**
 * `rolebook verify`: derives all tables from the records again, and compares. With `--repair`, writes what it derived
 * if something differs (docs/operations.md).
 */
export async function verifyCommand(options: VerifyArguments): Promise<void> {
  await withExistingStore(options.database, async ({ store }) => {
    const all = (await listOrganizations(store.engine)).map((each) => each.organization);
    const wanted = options.organization === undefined ? all : [options.organization];
    let wrong = 0;
    for (const organization of wanted) {
      const verified = await verify(store, organization, {
        repair: options.repair === true,
        waiting: () => say("Waiting for another import or change to end."),
      });
      await tell(verified);
      if (verified.findings.length > 0 && verified.repaired === undefined) wrong++;
    }
    if (wrong > 0) {
      throw new CommandError(
        `${wrong} of ${wanted.length} organizations have tables that differ from their records; --repair rewrites them.`,
      );
    }
  });
}

async function tell({ organization, revision, findings, repaired }: Verified): Promise<void> {
  if (findings.length === 0) {
    await print(`${organization}, revision ${revision}: the derived data matches the records.`);
    return;
  }
  for (const { table, rows, first } of findings) {
    const more = rows > first.length ? " …" : "";
    await print(
      `${organization}, revision ${revision}: ${table} differs in ${rows}: ${first.join(", ")}${more}`,
    );
  }
  if (repaired !== undefined) await print(`${organization}: rewritten as revision ${repaired}.`);
}
