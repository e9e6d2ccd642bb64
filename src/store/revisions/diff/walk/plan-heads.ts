import { type Head, headOf, isEmpty } from "../../../../sets/head.ts";
import { headsOfLadders } from "../../../directory/inheritance.ts";
import { statement } from "../../../engine/engine.ts";
import type { Reading } from "../../../reading.ts";
import { holds } from "../../../schema/as-of.ts";
import { MEMBERS, memberSets } from "../../../schema/set-names.ts";
import { HEADS } from "../../../sets/container-row.ts";
import { headsOf } from "../../../sets/set-store.ts";
import type { Forest } from "../contents/forest.ts";

/** Reads the heads of the sets of direct permissions on the given contents. The heads of one content are adjacent. */
const GIVEN_ON = statement<[name: string, bits: Uint8Array]>(
  ({ texts, lookUp }) => `
    SELECT c.name, c.bits FROM ${lookUp(
      texts("$3", "wanted"),
      "container",
      "c",
      `${holds("c")} AND c.universe = ${MEMBERS} AND c.chunk = ${HEADS}
        AND c.name >= 'direct/' || wanted.value || '/' AND c.name < 'direct/' || wanted.value || '0'`,
    )}`,
);

/** The heads of all sets that a plan uses at the later revision. */
export async function headsAfter(reading: Reading, { roots, heirs }: Forest): Promise<Map<string, Head>> {
  const heads = await headsOfLadders(reading, [...roots.keys()]);
  for (const [name, bits] of await reading.read(GIVEN_ON, ...reading.asOf, [...heirs.keys()])) {
    heads.set(name, headOf(bits));
  }
  const teams = new Set([...heirs.values()].flatMap(({ content }) => [...content.teams.keys()]));
  const names = [...teams].map((team) => memberSets.ofTeam(team)).filter((name) => !heads.has(name));
  for (const [index, head] of (await headsOf(reading, MEMBERS, names)).entries()) {
    if (!isEmpty(head)) heads.set(names[index] ?? "", head);
  }
  return heads;
}
