import type { ContentKey, DefaultLevel } from "../content.ts";
import { idOf, kindOf } from "../content.ts";
import type { Phrase } from "./phrase.ts";
import type { Role } from "../role.ts";
import type { Without } from "../without.ts";

/** How a role differs, most severe first. */
export const DIRECTIONS = ["lost", "lowered", "raised", "gained"] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** How many people lose all access, get a lower role, get a higher role, or gain access when a source is removed. */
export interface Effect {
  readonly lost: number;
  readonly lowered: number;
  readonly raised: number;
  readonly gained: number;
}

export interface SourceNames {
  content(key: ContentKey): string;
  team(id: string): string;
  user(id: string): string;
}

/** A source in words: "team Docs’s edit on collection Handbook". `gives` is the source's role or default level. */
export function sourcePhrase(
  without: Without,
  gives: Role | DefaultLevel | undefined,
  names: SourceNames,
): Phrase {
  const place = (key: ContentKey): Phrase => [
    `${kindOf(key)} `,
    { name: names.content(key), of: { kind: kindOf(key), id: idOf(key) } },
  ];
  if (without.of === "default") {
    return ["the default level of ", ...place(without.content), ` (${gives ?? "closed"})`];
  }
  if (without.of === "user") {
    const name = { name: names.user(without.user), of: { kind: "member" as const, id: without.user } };
    return [name, `’s direct ${gives ?? "permission"} on `, ...place(without.content)];
  }
  const team: Phrase = ["team ", { name: names.team(without.team), of: { kind: "team", id: without.team } }];
  if (without.of === "team") return team;
  return [...team, `’s ${gives ?? "permission"} on `, ...place(without.content)];
}

/** The four counts: "41 people lose access, 12 fall, 3 rise, none gain access". */
export function effectText({ lost, lowered, raised, gained }: Effect): string {
  return [
    lost === 0
      ? "nobody loses access"
      : lost === 1
        ? "1 person loses access"
        : `${figure(lost)} people lose access`,
    several(lowered, "falls", "fall"),
    several(raised, "rises", "rise"),
    several(gained, "gains access", "gain access"),
  ].join(", ");
}

/** The contents on which an effect is counted: "on this collection and the 42 contents that inherit from it". */
export function whereText(content: ContentKey, inheriting: number): string {
  const here = `on this ${kindOf(content)}`;
  if (inheriting === 0) return here;
  if (inheriting === 1) return `${here} and the content that inherits from it`;
  return `${here} and the ${figure(inheriting)} contents that inherit from it`;
}

function several(count: number, one: string, many: string): string {
  if (count === 1) return `1 ${one}`;
  return `${count === 0 ? "none" : figure(count)} ${many}`;
}

function figure(count: number): string {
  return count.toLocaleString("en");
}
