import type { Rule } from "../../../domain/ladder.ts";
import type { Subject } from "../../wire/things.ts";

const SHAPES = {
  space: "M4 2.5h5.5l3 3v8H4z M9.500 2.500v3h3",
  collection: "M2.500 4.500v8h11v-6.500h-6l-1.500-1.500z",
  site: "M2.500 3.500h11v9h-11z M2.500 6.500h11",
  member:
    "M5.500 5.500a2.500 2.500 0 1 0 5 0a2.500 2.500 0 1 0-5 0 M3.500 13.500c0-2.500 2-4 4.500-4s4.500 1.500 4.500 4",
  team: "M3.750 5.500a2.250 2.250 0 1 0 4.500 0a2.250 2.250 0 1 0-4.500 0 M2 13c0-2.250 1.700-3.750 4-3.750s4 1.500 4 3.750 M10.500 3.400a2.250 2.250 0 0 1 0 4.200 M11.500 9.500c1.500.5 2.500 1.800 2.500 3.500",
  level:
    "M2.500 5l5.500-2.500 5.500 2.500-5.500 2.500z M2.500 8.250l5.500 2.500 5.500-2.500 M2.500 11.250l5.500 2.500 5.500-2.500",
  organization: "M3.500 13.500v-11h6v11 M9.500 6.500h3v7 M2 13.500h12 M5.500 5.500h2 M5.500 8.500h2",
  next: "M6.500 4.500L10 8l-3.500 3.500",
  open: "M4.500 6.500L8 10l3.500-3.500",
  back: "M9.500 4.500L6 8l3.500 3.500",
  close: "M4 4l8 8 M12 4l-8 8",
  clock: "M2.500 8a5.500 5.500 0 1 0 11 0a5.500 5.500 0 1 0-11 0 M8 4.500v3.500l2.500 1.500",
  search: "M3 7a4 4 0 1 0 8 0a4 4 0 1 0-8 0 M10 10l3.500 3.500",
  copy: "M5.500 5.500h7v8h-7z M3.500 10.500v-8h7",
  print: "M4.5 6v-3.500h7v3.500 M4.500 11.500h-2v-5.500h11v5.500h-2 M4.500 9.500h7v4h-7z",
  down: "M8 2.500v8 M4.500 7.500L8 11l3.500-3.500 M3 13.500h10",
} as const;

export type IconName = keyof typeof SHAPES;

/** An icon of 16 by 16 px beside text with the same meaning. */
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

/** The icon of the deciding rule. */
export function RuleIcon({ rule }: { rule: Rule }) {
  return <Icon name={RULES[rule]} />;
}

/** The icon of a subject, or the emoji of a space. */
export function KindIcon({
  kind,
  emoji,
}: {
  kind: Subject["kind"] | "organization";
  emoji?: string | undefined;
}) {
  if (emoji === undefined || emoji === "") return <Icon name={kind} />;
  return (
    <span class="emoji" aria-hidden="true">
      {emoji}
    </span>
  );
}
