import { counted } from "../../domain/text.ts";
import { listBindings, unbind } from "../../store/sign-ins.ts";
import { chooseOrganization, withExistingStore } from "../database.ts";
import { print, say, table } from "../terminal.ts";

/** `rolebook sign-in list`: which accounts are bound to which members. */
export async function listSignInsCommand(options: { database?: string }): Promise<void> {
  await withExistingStore(options.database, async ({ store }) => {
    const rows = (await listBindings(store.engine)).map(
      ({ organization, member, issuer, subject, boundAt }) => [
        organization,
        member,
        issuer,
        subject,
        boundAt,
      ],
    );
    await print(table(["organization", "member", "issuer", "sub", "bound"], rows));
  });
}

/** `rolebook sign-in unbind USER`. */
export async function unbindCommand(
  user: string,
  options: { organization?: string; database?: string },
): Promise<void> {
  await withExistingStore(options.database, async ({ store }) => {
    const { organization } = await chooseOrganization(store, options.organization);
    const ended = await unbind(store.engine, organization, user);
    say(
      `Unbound ${user} of ${organization} in ${store.engine.name}, and ended ${counted(ended, "session")}. The next sign-in binds anew.`,
    );
  });
}
