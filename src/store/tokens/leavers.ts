import { type Connection, statement } from "../engine/engine.ts";
import { TOKEN_COLUMNS, type Token, tokenOf } from "../revisions/organizations/registry.ts";
import { FOREVER } from "../schema/as-of.ts";
import { MEMBERS } from "../schema/set-names.ts";
import type { StoredChange } from "../writing/change/record-change.ts";
import type { OrganizationChange } from "../writing/generation/difference.ts";

const MEMBER_TOKENS = statement<[id: string, member: string]>(
  () => "SELECT id, member FROM token WHERE organization = $1 AND member IS NOT NULL",
);
const PRESENT = statement<[member: string]>(
  ({ texts }) => `
    SELECT p.key FROM ${texts("$2", "holder")} CROSS JOIN place p CROSS JOIN member m
      WHERE p.generation = $1 AND p.universe = ${MEMBERS} AND p.key = holder.value
        AND m.generation = $1 AND m.position = p.position AND m.until = ${FOREVER}`,
);
const DROP_TOKEN = statement<never>(() => "DELETE FROM token WHERE id = $1");

/**
 * Deletes the tokens of members who left the organization (contract, section 7). No statement here reads tables of
 * generations and modifies a small table: a distributed PostgreSQL could not run it.
 */
export async function dropTokens(
  connection: Connection,
  organization: string,
  generation: number,
): Promise<void> {
  const tokens = await connection.read(MEMBER_TOKENS, organization);
  if (tokens.length === 0) return;
  const holders = [...new Set(tokens.map(([, member]) => member))];
  const present = new Set((await connection.read(PRESENT, generation, holders)).map(([member]) => member));
  for (const [id, member] of tokens) if (!present.has(member)) await connection.write(DROP_TOKEN, id);
}

const UNEXPIRED = statement<Parameters<typeof tokenOf>[0]>(
  () => `
    SELECT ${TOKEN_COLUMNS} FROM token
      WHERE organization = $1 AND member IS NOT NULL AND (expires_at IS NULL OR expires_at > $2) ORDER BY created_at, id`,
);
const STAYING = statement<[member: string]>(
  ({ texts }) => `
    SELECT m.member FROM ${texts("$2", "holder")} CROSS JOIN staged_member m
      WHERE m.member = holder.value AND m.organization = $1`,
);

/** The unexpired tokens that an import deletes, because their members leave (contract, section 7). */
export async function endingTokens(
  connection: Connection,
  changes: readonly OrganizationChange[],
): Promise<Token[]> {
  const ending: Token[] = [];
  for (const { organization, kinds } of changes) {
    if (kinds.member.removed === 0) continue;
    const tokens = await unexpiredTokens(connection, organization);
    const holders = [...new Set(tokens.flatMap(({ member }) => member ?? []))];
    const staying = new Set(
      (await connection.read(STAYING, organization, holders)).map(([member]) => member),
    );
    ending.push(...tokens.filter(({ member }) => member !== undefined && !staying.has(member)));
  }
  return ending;
}

/** The unexpired tokens that a change deletes, because it removes their members (contract, section 7). */
export async function tokensOfLeavers(
  connection: Connection,
  organization: string,
  records: readonly StoredChange[],
): Promise<Token[]> {
  const leaving = new Set(
    records.flatMap((each) => (each.kind === "member" && each.after === undefined ? each.member : [])),
  );
  if (leaving.size === 0) return [];
  const tokens = await unexpiredTokens(connection, organization);
  return tokens.filter(({ member }) => member !== undefined && leaving.has(member));
}

/** The unexpired tokens of an organization's members, by time of creation. */
async function unexpiredTokens(connection: Connection, organization: string): Promise<Token[]> {
  return (await connection.read(UNEXPIRED, organization, new Date().toISOString())).map(tokenOf);
}
