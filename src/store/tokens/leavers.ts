import { FOREVER } from "../schema/as-of.ts";
import { type Connection, statement } from "../engine/engine.ts";
import { MEMBERS } from "../schema/set-names.ts";

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
