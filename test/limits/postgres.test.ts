/** The tests of a PostgreSQL store with small limits, as of a SQLite one. */
import { describe } from "vitest";
import { usePostgres } from "../postgres/use.ts";
import { exerciseSuccessiveChanges } from "../store/writing/successive.ts";
import type { Place } from "../world.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 6);

const postgres = usePostgres();
const open = (): Promise<Place> => postgres.places.open();

describe("a server's store with small limits", () => {
  describe("successive changes", () => exerciseSuccessiveChanges(open, Math.ceil(RUNS / 10), 5));
});
