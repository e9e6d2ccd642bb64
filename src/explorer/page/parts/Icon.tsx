import type { Rule } from "../../../domain/ladder.ts";
import { ROLES, type Role, rank } from "../../../domain/role.ts";
import type { SubjectNode } from "../../wire/protocol.ts";
import { emoji } from "../words/names.ts";

const SHAPES = {
  space: "M4 2.5h5.5l3 3v8H4z M9.5 2.5v3h3",
  collection: "M2.5 4.5v8h11v-6.5h-6l-1.5-1.5z",
  site: "M2.5 3.5h11v9h-11z M2.5 6.5h11",
  member: "M5.5 5.5a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0 M3.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4",
  team: "M3.75 5.5a2.25 2.25 0 1 0 4.5 0a2.25 2.25 0 1 0-4.5 0 M2 13c0-2.25 1.7-3.75 4-3.75s4 1.5 4 3.75 M10.5 3.4a2.25 2.25 0 0 1 0 4.2 M11.5 9.5c1.5.5 2.5 1.8 2.5 3.5",
  level: "M2.5 5l5.5-2.5 5.5 2.5-5.5 2.5z M2.5 8.25l5.5 2.5 5.5-2.5 M2.5 11.25l5.5 2.5 5.5-2.5",
  organization: "M3.5 13.5v-11h6v11 M9.5 6.5h3v7 M2 13.5h12 M5.5 5.5h2 M5.5 8.5h2",
  next: "M6.5 4.5L10 8l-3.5 3.5",
  open: "M4.5 6.5L8 10l3.5-3.5",
  back: "M9.5 4.5L6 8l3.5 3.5",
  close: "M4 4l8 8 M12 4l-8 8",
  clock: "M2.5 8a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0 M8 4.5v3.5l2.5 1.5",
  search: "M3 7a4 4 0 1 0 8 0a4 4 0 1 0-8 0 M10 10l3.5 3.5",
  copy: "M5.5 5.5h7v8h-7z M3.5 10.5v-8h7",
  down: "M8 2.5v8 M4.5 7.5L8 11l3.5-3.5 M3 13.5h10",
} as const;

export type IconName = keyof typeof SHAPES;

/** An icon of 16 by 16 px. Screen readers ignore it, because text beside it says the same. */
export function Icon({ name, class: more = "" }: { name: IconName; class?: string }) {
  return (
    <svg class={`ic ${more}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={SHAPES[name]} />
    </svg>
  );
}

const RULES: Readonly<Record<Rule, IconName>> = {
  admin: "organization",
  direct: "member",
  team: "team",
  default: "level",
  organization: "organization",
};

export function RuleIcon({ rule }: { rule: Rule }) {
  return <Icon name={RULES[rule]} />;
}

interface IconKind {
  readonly kind: SubjectNode["kind"] | "organization";
  readonly emoji?: string;
}

/** The icon of a kind of subject, or the emoji of a space. */
export function KindIcon({ of }: { of: IconKind }) {
  const shown = emoji(of.emoji ?? "");
  if (shown === "") return <Icon name={of.kind} />;
  return (
    <span class="emoji" aria-hidden="true">
      {shown}
    </span>
  );
}

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
export function Logo() {
  return (
    <svg class="meter mark" viewBox="0 0 17 12" aria-hidden="true">
      {TICKS.map(({ role, x, y, height }) => (
        <rect key={x} x={x} y={y} width={2} height={height} class={`b-${role}`} />
      ))}
    </svg>
  );
}
