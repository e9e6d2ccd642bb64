/** Computes all sets again, and compares them with the stored sets. */
import { addContainer, type Container } from "../../../../sets/container.ts";
import { headOf } from "../../../../sets/head.ts";
import { positionAt } from "../../../../sets/position.ts";
import { noSlots, slotsFrom } from "../../../../sets/words.ts";
import { FOREVER } from "../../../schema/as-of.ts";
import { type Dialect, type Staging, statement } from "../../../engine/engine.ts";
import { HEADS } from "../../../sets/container-row.ts";
import { type Finding, NAMED } from "./compared.ts";

type Row = [chunk: number, bits: Uint8Array];

const stored = (dialect: Dialect) =>
  `${dialect.stored("container")} s WHERE s.generation = (SELECT stored FROM staged_organization) AND s.until = ${FOREVER}`;
const DIFFERING = statement<[universe: number, name: string]>(
  (dialect) => `
    WITH expected AS (SELECT universe, chunk, name, bits FROM staged_container),
      stored AS (SELECT s.universe, s.chunk, s.name, s.bits FROM ${stored(dialect)})
    SELECT DISTINCT universe, name FROM (
      SELECT * FROM (SELECT * FROM expected EXCEPT SELECT * FROM stored) missing
      UNION ALL SELECT * FROM (SELECT * FROM stored EXCEPT SELECT * FROM expected) surplus) wrong`,
);
const EXPECTED_SET = statement<Row>(
  () => "SELECT chunk, bits FROM staged_container WHERE universe = $1 AND name = $2",
);
const STORED_SET = statement<Row>(
  (dialect) => `SELECT s.chunk, s.bits FROM ${stored(dialect)} AND s.universe = $1 AND s.name = $2`,
);

/**
 * The sets with wrong positions. A set near the size limit may be stored in its head or in containers, so the positions
 * are compared.
 */
export async function compareSets(staging: Staging): Promise<Finding[]> {
  const wrong: string[] = [];
  for (const [universe, name] of await staging.read(DIFFERING)) {
    const expected = positionsOf(await staging.read(EXPECTED_SET, universe, name));
    const stored = positionsOf(await staging.read(STORED_SET, universe, name));
    if (stored !== expected) wrong.push(name);
  }
  return wrong.length === 0 ? [] : [{ table: "container", rows: wrong.length, first: wrong.slice(0, NAMED) }];
}

/**
 * The positions of a set as one text. If its head and containers contradict each other, the text says so or has an
 * empty position.
 */
function positionsOf(rows: readonly Row[]): string {
  const head = rows.find(([chunk]) => chunk === HEADS);
  const containers = new Map(rows.filter(([chunk]) => chunk !== HEADS));
  if (head === undefined) return containers.size === 0 ? "" : "containers without a head";
  const known = headOf(head[1]);
  if ("positions" in known) {
    return containers.size === 0 ? known.positions.join() : "containers beside a small head";
  }
  if (known.chunks.length !== containers.size) return "a head of other chunks";
  return [...known.chunks].flatMap((chunk) => slotsIn(chunk, containers.get(chunk))).join();
}

function slotsIn(chunk: number, container: Container | undefined): (number | undefined)[] {
  if (container === undefined) return [undefined];
  const words = noSlots();
  addContainer(words, container);
  return [...slotsFrom(words)].map((slot) => positionAt(chunk, slot));
}
