import { counted } from "../../domain/text.ts";
import { listBindings, unbind } from "../../store/sign-ins.ts";
import { chooseOrganization, withExistingStore } from "../database.ts";
import type { CommandOptions } from "../command-table.ts";
import { formatOf, printRows, sheetOf } from "../output.ts";
import { say } from "../terminal.ts";

const BINDINGS = sheetOf<Awaited<ReturnType<typeof listBindings>>[number]>({
  organization: ({ organization }) => organization,
  member: ({ member }) => member,
  issuer: ({ issuer }) => issuer,
  sub: ({ subject }) => subject,
  bound: ({ boundAt }) => boundAt,
});

/** `rolebook sign-in list`: which accounts are bound to which members. */
export async function listSignInsCommand(options: CommandOptions<"sign-in list">): Promise<void> {
  const format = formatOf(options.format);
  await withExistingStore(options.database, async ({ store }) =>
    printRows(format, BINDINGS, await listBindings(store.engine)),
  );
}

/** `rolebook sign-in unbind USER`. */
export async function unbindCommand(user: string, options: CommandOptions<"sign-in unbind">): Promise<void> {
  await withExistingStore(options.database, async ({ store }) => {
    const { organization } = await chooseOrganization(store, options.organization, "ids");
    const ended = await unbind(store.engine, organization, user);
    say(
      `Unbound ${user} of ${organization} in ${store.engine.name}, and ended ${counted(ended, "session")}. The next sign-in binds anew.`,
    );
  });
}
