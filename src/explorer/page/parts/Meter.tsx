import { rank, ROLES, type Role } from "../../../domain/role.ts";

const TICKS = ROLES.map((role, at) => ({ role, x: 3 * at, y: 10 - 2 * at, height: 2 + 2 * at }));

/** Six rising bars, as many of them filled as the rank of the role. It shows a role without colour. */
function Meter({ role }: { role: Role }) {
  const on = rank(role);
  return (
    <svg class="meter" viewBox="0 0 17 12" aria-hidden="true">
      {TICKS.map(({ x, y, height }, at) => (
        <rect key={x} x={x} y={y} width={2} height={height} class={at < on ? "on" : "off"} />
      ))}
    </svg>
  );
}

export function RoleLabel({ role }: { role: Role }) {
  return (
    <span class="role">
      <Meter role={role} />
      {role}
    </span>
  );
}

/** The logo: the six bars in the colours of the roles. */
export function Mark() {
  return (
    <svg class="meter mark" viewBox="0 0 17 12" aria-hidden="true">
      {TICKS.map(({ role, x, y, height }) => (
        <rect key={x} x={x} y={y} width={2} height={height} class={`b-${role}`} />
      ))}
    </svg>
  );
}
