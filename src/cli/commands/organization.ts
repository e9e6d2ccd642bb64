import { createInterface } from "node:readline";
import { CommandError } from "../../domain/error.ts";
import { counted, megabytes, oneLine } from "../../domain/text.ts";
import type { Engine } from "../../store/engine/engine.ts";
import type { Revision } from "../../store/reading.ts";
import { forgetUser } from "../../store/rows/forget.ts";
import { keptOf } from "../../store/revisions/history.ts";
import {
  countTokens,
  endRemoval,
  listOrganizations,
  removeOrganization,
} from "../../store/revisions/organizations.ts";
import type { Store } from "../../store/store.ts";
import { withExistingStore } from "../database.ts";
import { formatOf, printRows, sheetOf } from "../output.ts";
import { StatusLine, interruptible, say, sayWaiting } from "../terminal.ts";
import type { CommandOptions } from "../command-table.ts";

const ORGANIZATIONS = sheetOf<Revision>({
  id: ({ organization }) => organization,
  title: ({ title }) => title,
});

export async function listOrganizationsCommand(options: CommandOptions<"organization list">): Promise<void> {
  const format = formatOf(options.format);
  await withExistingStore(options.database, async ({ store }) =>
    printRows(format, ORGANIZATIONS, await listOrganizations(store.engine)),
  );
}

/**
 * `rolebook organization remove ID`. Run it again if it was interrupted, or removed the rows but could not rewrite the
 * database file.
 */
export async function removeOrganizationCommand(
  id: string,
  options: CommandOptions<"organization remove">,
): Promise<void> {
  await withExistingStore(options.database, async ({ store }) => {
    const { engine } = store;
    const found = await store.registry.organization(id);
    // A removal that was interrupted was confirmed before.
    if (found !== undefined && options.yes !== true) {
      say(await contentsOf(store, found.current));
      if (!(await isTyped(id))) {
        throw new CommandError(
          "Removed organizations cannot be restored. Nothing was changed; confirm with --yes.",
        );
      }
    }
    const line = new StatusLine();
    let deleted = 0;
    const interrupted = () =>
      `Interrupted; if rolebook organization list still has ${id}, nothing was removed; otherwise run this again to end the removal.`;
    await interruptible(interrupted, () =>
      removeOrganization(engine, id, sayWaiting, (rows) => {
        deleted += rows;
        line.show(() => `Deleting … ${deleted.toLocaleString("en")} rows`);
      }),
    ).finally(() => line.end());
    say(`Removed organization ${id} and its tokens from ${engine.name}: ${counted(deleted, "row")}.`);
    await overwrite(engine);
    await endRemoval(engine, id);
    say(`Not erased: exports, reports, lists and drafts that were written, backups${elsewhere(engine)}.`);
  });
}

/** What a removal deletes, and what else it does. */
async function contentsOf({ engine }: Store, { organization, title, counts }: Revision): Promise<string> {
  const kept = (await keptOf(engine, new Set())).find((each) => each.organization === organization);
  const numbers = [
    counted(counts.members, "member"),
    counted(counts.teams, "team"),
    counted(counts.collections, "collection"),
    counted(counts.spaces, "space"),
    counted(counts.sites, "site"),
    counted(counts.permissions, "permission"),
    counted(kept?.revisions ?? 1, "revision"),
  ];
  const tokens = counted(await countTokens(engine, organization), "token");
  const rewriting =
    engine.rewrite === undefined
      ? ""
      : ` The file of ${megabytes((await engine.size()).bytes)} MB is then rewritten; other commands that write wait meanwhile.`;
  return `Organization ${organization} (${oneLine(title)}) has ${numbers.join(", ")} and ${tokens}. All of it is removed for good.${rewriting}`;
}

/** Asks at the terminal. `false` without a terminal. */
async function isTyped(id: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await new Promise<boolean>((resolve) => {
      terminal.question(`Type ${id} to remove it: `, (answer) => resolve(answer === id));
      terminal.once("close", () => resolve(false));
    });
  } finally {
    terminal.close();
  }
}

/**
 * `rolebook organization forget-user USER`. Run it again if it removed the rows but could not rewrite the database
 * file.
 */
export async function forgetUserCommand(
  user: string,
  options: CommandOptions<"organization forget-user">,
): Promise<void> {
  const { organization } = options;
  await withExistingStore(options.database, async ({ store: { engine } }) => {
    const removed = await forgetUser(engine, organization, user, sayWaiting);
    say(
      removed > 0
        ? `Removed name, e-mail address, picture and links of ${user} from the past of ${organization} in ${engine.name}.`
        : `${engine.name} has nothing about ${user} except the id.`,
    );
    say("The id stays until the revisions that have it are deleted.");
    await overwrite(engine);
    say(
      `Not erased: exports, reports, lists and drafts that were written, backups, snapshot and change files${elsewhere(engine)}.`,
    );
  });
}

/** Overwrites deleted rows, if the database is a file, and says how long that took. */
async function overwrite(engine: Engine): Promise<void> {
  if (engine.rewrite === undefined) return;
  const before = megabytes((await engine.size()).bytes);
  say(`Rewriting the file without deleted rows, ${before} MB …`);
  const began = performance.now();
  await engine.rewrite(sayWaiting);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  say(`The file was rewritten in ${seconds} s, and has ${megabytes((await engine.size()).bytes)} MB now.`);
}

/** Where else deleted rows are, for the end of a sentence. */
function elsewhere(engine: Engine): string {
  return engine.rewrite === undefined ? "; deleted rows that PostgreSQL still stores, see docs/past.md" : "";
}
