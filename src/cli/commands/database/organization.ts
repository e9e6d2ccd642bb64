import {
  listOrganizations,
  removeOrganization,
} from "../../../store/revisions/organizations/organizations.ts";
import { forgetUser } from "../../../store/revisions/past/forget.ts";
import { print, say, withExistingStore } from "../../context.ts";
import { table } from "../../output/table.ts";

export async function listOrganizationsCommand(options: { database?: string }): Promise<void> {
  await withExistingStore(options.database, async ({ store }) => {
    const organizations = await listOrganizations(store.engine, store.registry);
    await print(
      table(
        ["id", "title"],
        organizations.map(({ organization, title }) => [organization, title]),
      ),
    );
  });
}

export async function removeOrganizationCommand(id: string, options: { database?: string }): Promise<void> {
  await withExistingStore(options.database, async ({ store }) => {
    await removeOrganization(store.engine, id, () => say("Waiting for an import to end …"));
    say(`Removed organization ${id} and its tokens from ${store.engine.name}.`);
  });
}

/**
 * `rolebook organization forget-user USER`. Run it again if it removed the rows but could not rewrite the database
 * file.
 */
export async function forgetUserCommand(
  user: string,
  options: { organization: string; database?: string },
): Promise<void> {
  const { organization } = options;
  await withExistingStore(options.database, async ({ store: { engine } }) => {
    const waiting = () => say("Waiting for an import to end …");
    const removed = await forgetUser(engine, organization, user, waiting);
    say(
      removed > 0
        ? `Removed name, e-mail address, picture and links of ${user} from the past of ${organization} in ${engine.name}.`
        : `${engine.name} has nothing about ${user} except the id.`,
    );
    say("The id stays until its revisions are pruned.");
    if (engine.rewrite !== undefined) {
      say("Rewriting the file without deleted rows …");
      await engine.rewrite(waiting);
    }
    const database =
      engine.rewrite === undefined ? "; deleted rows that PostgreSQL still stores, see docs/past.md" : "";
    say(
      `Not erased: exports, reports, lists and drafts that were written, backups, snapshot and change files${database}.`,
    );
  });
}
