import { type Engine, statement } from "../engine/engine.ts";

/** The shortest lifetime of tokens whose expiry matters to operators, in milliseconds. */
const LASTING = 14 * 24 * 60 * 60_000;

const NEXT_EXPIRY = statement<[expiresAt: string | null]>(
  () => `
    SELECT min(expires_at) FROM token WHERE replaced_by IS NULL AND lifetime >= $1 AND expires_at > $2`,
);

/**
 * The next expiry that an operator must act on (ISO 8601, UTC). Ignores tokens that were rotated, and tokens with a
 * lifetime of less than 14 days.
 */
export async function nextExpiry(engine: Engine): Promise<string | undefined> {
  const [row] = await engine.read(NEXT_EXPIRY, LASTING, new Date().toISOString());
  return row?.[0] ?? undefined;
}
