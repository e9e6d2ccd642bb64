import type { ComponentChildren } from "preact";
import { withDetail, type Address } from "../address/address.ts";
import { Link } from "../parts/Link.tsx";

/** A sentence about a role that nobody has, and the way to the whole list. */
export function ShowAllRoles({ address, children }: { address: Address; children: ComponentChildren }) {
  return (
    <>
      {children}{" "}
      <Link to={withDetail(address, "role", undefined)} class="link">
        Show all roles
      </Link>
    </>
  );
}
