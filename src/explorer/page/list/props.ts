import type { Subject } from "../../wire.ts";
import { listOf, type Address } from "../address/address.ts";
import { nameOf as nameIn } from "../words/names.ts";

/** What every list of the page is given. */
export interface ListProps {
  readonly address: Address;
  /** What the list is of, once that is known. */
  readonly subject?: Subject | undefined;
}

/** "API reference", "Ana Lima"; "" while it is not known. */
export function nameOf(subject: Subject | undefined): string {
  return subject ? nameIn(subject) : "";
}

/** The parameters of the list that an address names. */
export function listQuery(address: Address): Record<string, string> {
  return listOf(address) ?? {};
}
