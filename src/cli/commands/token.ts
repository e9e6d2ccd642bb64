import { type ListedToken, createToken, listTokens, revokeToken, rotateToken } from "../../store/tokens.ts";
import { withExistingStore } from "../database.ts";
import type { CommandOptions } from "../command-table.ts";
import { readDaysOrHours } from "../options.ts";
import { formatOf, printRows, sheetOf } from "../output.ts";
import { print, say } from "../terminal.ts";

/** `rolebook token create`: standard output gets the token, and nothing else. */
export async function createTokenCommand(options: CommandOptions<"token create">): Promise<void> {
  const lifetime =
    options.expires === undefined ? undefined : readDaysOrHours("--expires", options.expires, 1);
  await withExistingStore(options.database, async ({ store }) => {
    const { organization, member, name = "" } = options;
    await print(await createToken(store, { organization, member, name, lifetime }));
    const holder =
      member === undefined ? `organization ${organization}` : `member ${member} of ${organization}`;
    say(
      `This token acts for ${holder} in ${store.engine.name}. It is shown only once; only its SHA-256 is stored.`,
    );
  });
}

const COLUMNS = {
  id: ({ id }: ListedToken) => id,
  organization: ({ organization }: ListedToken) => organization,
  member: ({ member }: ListedToken) => member ?? "",
};
const TIMES = {
  created: ({ createdAt }: ListedToken) => createdAt,
  expires: ({ expiresAt }: ListedToken) => expiresAt ?? "never",
  "last used": ({ lastUsedAt }: ListedToken) => lastUsedAt ?? "never",
};
const TOKENS = sheetOf<ListedToken>({
  ...COLUMNS,
  name: ({ name }) => name,
  ...TIMES,
  "replaced by": ({ replacedBy }) => replacedBy ?? "",
});
const SESSIONS = sheetOf<ListedToken>({ ...COLUMNS, issuer: ({ issuer }) => issuer ?? "", ...TIMES });

/** `rolebook token list`: the tokens, or with `--sessions` those of people who signed in. */
export async function listTokensCommand(options: CommandOptions<"token list">): Promise<void> {
  const format = formatOf(options.format);
  const sessions = options.sessions === true;
  await withExistingStore(options.database, async ({ store }) => {
    const listed = await listTokens(store.engine);
    const wanted = listed.filter(({ issuer }) => (issuer !== undefined) === sessions);
    await printRows(format, sessions ? SESSIONS : TOKENS, wanted);
  });
}

/** `rolebook token rotate ID`: standard output gets the new token, and nothing else. */
export async function rotateTokenCommand(id: string, options: CommandOptions<"token rotate">): Promise<void> {
  const grace = readDaysOrHours("--grace", options.grace, 0);
  await withExistingStore(options.database, async ({ store }) => {
    const { token, until } = await rotateToken(store, id, grace);
    await print(token);
    say(`This token replaces ${id}, which ends at ${until}, in ${store.engine.name}. It is shown only once.`);
  });
}

export async function revokeTokenCommand(id: string, options: CommandOptions<"token revoke">): Promise<void> {
  await withExistingStore(options.database, async ({ store }) => {
    await revokeToken(store.engine, id);
    say(`Revoked token ${id} in ${store.engine.name}.`);
  });
}
