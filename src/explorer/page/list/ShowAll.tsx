import { narrowingOf, whole, type Address } from "../session/address/address.ts";
import { Link } from "../parts/Link.tsx";
import { nothingFor } from "../words/filters.ts";

interface Props {
  address: Address;
  /** The texts for a list without rows, and for a list without the requested role. */
  none: string;
  role?: string;
}

/** Shown for a list without rows: the reason, and a link to the whole list if there is a filter. */
export function ShowAll({ address, none, role }: Props) {
  const names = narrowingOf(address);
  if (names.length === 0) return <>{none}</>;
  return (
    <>
      {nothingFor(address, role)}{" "}
      <Link to={whole(address)} class="link">
        {names.join() === "role" ? "Show all roles" : "Show all"}
      </Link>
    </>
  );
}
