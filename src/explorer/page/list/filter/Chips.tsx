import { isRole, type Role } from "../../../../domain/role.ts";
import { TABS, whole, withDetail, type Address } from "../../session/address/address.ts";
import { useSession } from "../../session/session.ts";
import { figure, share } from "../../words/number.ts";
import { STRONGEST_FIRST, type RoleCounts } from "../Mix.tsx";
import { Button } from "../../parts/controls/Button.tsx";

interface Props {
  address: Address;
  roles: RoleCounts | undefined;
  total: number | undefined;
}

/** Whether the role counts above a list are those of its rows. */
function isCounted({ view, tab }: Address): boolean {
  return tab === TABS[view][0] || tab === "review";
}

/**
 * The first list of the view or its review, filtered by one role or, with `undefined`, by none. If that list is shown,
 * its other filters stay.
 */
export function withRole(address: Address, role: Role | undefined): Address {
  const [tab = ""] = TABS[address.view];
  return withDetail(isCounted(address) ? address : { ...whole(address), tab }, "role", role);
}

/**
 * The role counts. Each is a button that filters the first list of the view, or its review, by that role. On other
 * lists, no button is pressed.
 */
export function Chips({ address, roles, total }: Props) {
  const { walk } = useSession();
  const listed = isCounted(address);
  const { role } = address;
  const choose = (wanted: Role | undefined) => walk.choose(withRole(address, wanted));
  return (
    <div class="chips" role="group" aria-label="Filter by role">
      <Button class="all" aria-pressed={listed && role === undefined} onClick={() => choose(undefined)}>
        <span class="l">All roles</span>
        <span class="n">{total === undefined ? "–" : figure(total)}</span>
      </Button>
      {STRONGEST_FIRST.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={listed && isRole(role) && role === name}
          onClick={() => choose(name)}
        >
          <span class="l">
            <i class={`sw b-${name}`} />
            {name}
          </span>
          <span class="n">{roles ? figure(roles[name]) : "–"}</span>
          <span class="p">{roles && total ? share(roles[name], total) : ""}</span>
        </button>
      ))}
    </div>
  );
}
