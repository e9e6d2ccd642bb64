import { ROLES, type Role } from "../../../domain/role.ts";
import { figure } from "../words/number.ts";

export type RoleCounts = Readonly<Record<Role, number>>;

export const STRONGEST_FIRST = ROLES.toReversed();

interface Props {
  roles: RoleCounts | undefined;
  label: string;
  /** A part was clicked; by keyboard the numbers below do the same. */
  onChoose?(role: Role): void;
}

/** How many hold which role, as a bar: strongest left, nothing for none. */
export function Mix({ roles, label, onChoose }: Props) {
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
