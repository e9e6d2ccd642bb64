import { type Connection, statement } from "../../../engine/engine.ts";
import { type Token, TOKEN_COLUMNS, tokenOf } from "../../../revisions/organizations/registry.ts";
import type { RecordChange } from "../../change/record-change.ts";
import type { OrganizationChange } from "./difference.ts";

const MEMBER_TOKENS = statement<Parameters<typeof tokenOf>[0]>(
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
  records: readonly RecordChange[],
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
  return (await connection.read(MEMBER_TOKENS, organization, new Date().toISOString())).map(tokenOf);
}
