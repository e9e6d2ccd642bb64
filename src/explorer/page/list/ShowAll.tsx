import { narrowingOf, whole, type Address } from "../session/address/address.ts";
import { Link } from "../parts/Link.tsx";
import { nothingFor } from "../words/filters.ts";

interface Props {
  address: Address;
  /** Said of a list that has no rows at all, and of one in which nobody has the role that is asked for. */
  none: string;
  role?: string;
}

/** What one sees where a list has no rows: why, and the way to the whole list where a filter leaves none. */
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
