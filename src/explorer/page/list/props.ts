import type { Subject } from "../../wire/subjects.ts";
import type { Address } from "../session/address/address.ts";

export interface ListProps {
  readonly address: Address;
  /** `undefined` until the subject is loaded, and for lists of the whole organization. */
  readonly subject?: Subject | undefined;
}
