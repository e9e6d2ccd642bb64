import { ROLES, type Role } from "../../../domain/role.ts";
import { figure } from "../words/number.ts";

export type RoleCounts = Readonly<Record<Role, number>>;

export const STRONGEST_FIRST = ROLES.toReversed();

interface Props {
  roles: RoleCounts | undefined;
  label: string;
  /** Called after a click on a part. Keyboard users have the role buttons below. */
  onChoose?(role: Role): void;
}

/**
 * A bar whose parts are as wide as the role counts, strongest role first. It is empty while `roles` is `undefined`, and
 * if nobody has a role.
 */
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
