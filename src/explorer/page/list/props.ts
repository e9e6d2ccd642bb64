import type { Subject } from "../../wire/things.ts";
import type { Address } from "../session/address/address.ts";

/** The props of every list. */
export interface ListProps {
  readonly address: Address;
  /** The subject of the list, once it is known. */
  readonly subject?: Subject | undefined;
}
