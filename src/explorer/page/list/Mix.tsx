import { ROLES, type Role } from "../../../domain/role.ts";
import { figure } from "../words/number.ts";

export type RoleCounts = Readonly<Record<Role, number>>;

export const STRONGEST_FIRST = ROLES.toReversed();

interface Props {
  roles: RoleCounts | undefined;
  label: string;
  /** Called for a click on a part; keyboard users have the numbers below. */
  onChoose?(role: Role): void;
}

/** The role counts as a bar, with the strongest role on the left. If nobody has a role, the bar is empty. */
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
