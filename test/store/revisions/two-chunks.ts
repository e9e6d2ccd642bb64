import * as given from "../../oracle/examples/examples.ts";
import type { SnapshotRecord } from "../../oracle/records.ts";

/**
 * Many members on few contents. The first `between` members are each followed by three others, which overflow a chunk.
 */
export function twoChunks(count: number, between: number, variant: number, behind = 0): SnapshotRecord[] {
  const numbers = Array.from({ length: count }, (_, index) => String(index).padStart(4, "0"));
  const users = [
    ...numbers,
    ...numbers.slice(0, between).flatMap((number) => ["b", "c", "d"].map((letter) => number + letter)),
    ...numbers.slice(0, behind).map((number) => `z${number}`),
  ];
  return [
    given.organization(),
    given.collection("shelf"),
    given.collection("drawer", { parent: "shelf", ...(variant === 1 ? { defaultLevel: null } : {}) }),
    given.space("open", { parent: "shelf" }),
    given.space("deep", { parent: "drawer" }),
    ...users.flatMap((user, index) => given.member(user, index % 7 === 0 ? null : "read")),
    ...given.team(
      "large",
      users.filter((_, index) => index % 10 === 0),
    ),
    ...given.team(
      "other",
      users.filter((_, index) => index % 11 === 2),
    ),
    given.onCollection("shelf", { team: "large" }, variant === 0 ? "comment" : "edit"),
    given.onSpace("open", { team: "other" }, "comment"),
    given.space("alike", { parent: "shelf" }),
    given.onSpace("alike", { team: "other" }, "review"),
    given.onSpace("alone", { user: users[10] ?? "" }, "read"),
    given.space("alone", { parent: "shelf" }),
    given.space("many", { parent: "shelf" }),
    ...users.filter((_, index) => index % 5 === 0).map((user) => given.onSpace("many", { user }, "read")),
    given.onCollection("drawer", { user: users[(variant * 100 + 30) % users.length] ?? "" }, "admin"),
    given.onSpace("deep", { user: users[9] ?? "" }, "review"),
  ];
}
