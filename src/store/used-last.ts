/** Loads, when a server starts, what its callers will ask for first. */
import { statement } from "./engine/engine.ts";
import type { Store } from "./store.ts";

/** More organizations than these are small, and load quickly when they are asked for. */
const MOST = 200;

/** The organizations with tokens, those first whose tokens were used last; a token that was not used counts when made. */
const USED_LAST = statement<[organization: string]>(
  () => `
    SELECT t.organization FROM token t GROUP BY t.organization
      ORDER BY max(coalesce(t.last_used_at, t.created_at)) DESC, t.organization LIMIT $1`,
);

/**
 * Loads the organizations used last, as long as there is room for them. What fails for one of them, `warn` receives.
 * Rejects if the database cannot be read.
 */
export async function loadUsedLast(store: Store, warn: (message: string) => void): Promise<void> {
  for (const [id] of await store.engine.read(USED_LAST, MOST)) {
    if (!store.models.hasRoom) return;
    try {
      const organization = await store.registry.organization(id);
      if (organization !== undefined) await store.models.prepare(store.reading(organization.current));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      warn(`Organization ${id} could not be loaded at the start: ${reason}`);
    }
  }
}
