import { listOrganizations, removeOrganization } from "../../../store/revisions/organizations.ts";
import { forgetUser } from "../../../store/revisions/forget.ts";
import { print, say, withExistingStore } from "../../context.ts";
import { table } from "../../output/table.ts";

/** `rolebook organization list`. */
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

/** `rolebook organization remove ID`. */
export async function removeOrganizationCommand(id: string, options: { database?: string }): Promise<void> {
  await withExistingStore(options.database, async ({ store }) => {
    await removeOrganization(store.engine, id, () => say("Waiting for an import to end …"));
    say(`Removed organization ${id} and its tokens from ${store.engine.name}.`);
  });
}

/** `rolebook organization forget-user USER`. */
export async function forgetUserCommand(
  user: string,
  options: { organization: string; database?: string },
): Promise<void> {
  const { organization } = options;
  await withExistingStore(options.database, async ({ store: { engine } }) => {
    const removed = await forgetUser(engine, organization, user, () => say("Waiting for an import to end …"));
    if (removed === 0) {
      say(`Nothing is known of ${user} in ${engine.name} but the id; nothing was changed.`);
      return;
    }
    say(
      `Removed name, e-mail address, picture and links of ${user} from the past of ${organization} in ${engine.name}.`,
    );
    say("The id stays until its revisions are pruned.");
    say(
      "Out of reach: exports, reports, lists and drafts that were written, backups, snapshot and change files; and what the database's files and logs keep of deleted rows until it is written over.",
    );
  });
}
