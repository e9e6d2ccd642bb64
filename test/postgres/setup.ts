import { beforeAll } from "vitest";
import { useStore } from "../world.ts";
import { usePostgres } from "./use.ts";

/** Before a test file that runs on every store: this time its places are on a PostgreSQL. */

const postgres = usePostgres();

beforeAll(async () => {
  useStore(() => postgres.places.open());
});
