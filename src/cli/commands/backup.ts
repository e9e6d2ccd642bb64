import { statSync } from "node:fs";
import { CommandError } from "../../domain/error.ts";
import { megabytes } from "../../domain/text.ts";
import { withExistingStore } from "../database.ts";
import { StatusLine, bar, say } from "../terminal.ts";
import type { CommandOptions } from "../command-table.ts";

/** `rolebook backup FILE`: copies the database, also while servers and imports use it, and checks the copy. */
export async function backupCommand(file: string, options: CommandOptions<"backup">): Promise<void> {
  await withExistingStore(options.database, async ({ store: { engine } }) => {
    if (engine.copyTo === undefined) {
      throw new CommandError(
        `${engine.name} is backed up with PostgreSQL's own tools, such as pg_dump or a base backup; see docs/operations.md.`,
      );
    }
    const line = new StatusLine();
    const progress = (part: number) =>
      line.show(() => (part < 1 ? `Copying ${bar(part)}` : "Checking the copy …"), part < 1);
    await engine.copyTo(file, progress).finally(() => line.end());
    say(`Copied ${engine.name} to ${file}, ${megabytes(statSync(file).size)} MB, and checked the copy.`);
  });
}
