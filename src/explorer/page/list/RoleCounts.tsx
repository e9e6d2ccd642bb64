/** How many rows have which role: a bar, and a button for each role that filters by it. */
import { ROLES, type Role, type RoleCounts, isRole } from "../../../domain/role.ts";
import { Button } from "../parts/controls.tsx";
import { type Address, firstTab, withDetail, withoutFilters } from "../session/address.ts";
import { useSession } from "../session/session.ts";
import { figure, share } from "../words/numbers.ts";

export const STRONGEST_FIRST = ROLES.toReversed();

interface RoleBarProps {
  roles: RoleCounts | undefined;
  label: string;
  /** Called after a click on a part. Keyboard users have the role buttons below. */
  onChoose?(role: Role): void;
}

/**
 * A bar whose parts are as wide as the role counts, strongest role first. It is empty while `roles` is `undefined`, and
 * if nobody has a role.
 */
export function RoleBar({ roles, label, onChoose }: RoleBarProps) {
  if (!roles) return <div class="mix" />;
  const held = STRONGEST_FIRST.filter((role) => roles[role] > 0);
  const words = STRONGEST_FIRST.map((role) => `${figure(roles[role])} ${role}`).join(", ");
  return (
    <div class="mix" role="img" aria-label={`${label}: ${words}`}>
      {held.map((role) => (
        <i
          key={role}
          class={`b-${role}`}
          style={{ flexGrow: String(roles[role]) }}
          onClick={() => onChoose?.(role)}
        />
      ))}
    </div>
  );
}

interface RoleFilterProps {
  address: Address;
  roles: RoleCounts | undefined;
  total: number | undefined;
}

/** Whether the role counts above a list are those of its rows. */
function showsCountedList({ view, tab }: Address): boolean {
  return tab === firstTab(view);
}

/**
 * The first list of the view, filtered by one role or, with `undefined`, by none. If that list is shown, its other
 * filters stay.
 */
export function withRole(address: Address, role: Role | undefined): Address {
  return withDetail(
    showsCountedList(address) ? address : { ...withoutFilters(address), tab: firstTab(address.view) },
    "role",
    role,
  );
}

/**
 * The role counts. Each is a button that filters the first list of the view by that role. On other
 * lists, no button is pressed.
 */
export function RoleFilter({ address, roles, total }: RoleFilterProps) {
  const { navigation } = useSession();
  const listed = showsCountedList(address);
  const { role } = address;
  const choose = (wanted: Role | undefined) => navigation.choose(withRole(address, wanted));
  return (
    <div class="chips" role="group" aria-label="Filter by role">
      <Button class="all" aria-pressed={listed && role === undefined} onClick={() => choose(undefined)}>
        <span class="l">All roles</span>
        <span class="n">{figure(total)}</span>
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
          <span class="n">{figure(roles?.[name])}</span>
          <span class="p">{roles && total ? share(roles[name], total) : ""}</span>
        </button>
      ))}
    </div>
  );
}
