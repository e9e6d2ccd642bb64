import type { Revision } from "../../store/reading.ts";
import type { Service } from "../service.ts";

/**
 * Whether a revision was kept during a read. If not, its rows may have been deleted, and the read may have missed some.
 */
export async function isKept(
  { store }: Service,
  { organization: id, revision, history }: Revision,
): Promise<boolean> {
  const organization = await store.registry.organization(id);
  if (organization?.current.history !== history) return false;
  return organization.earliest <= revision && revision <= organization.current.revision;
}
