import { describe } from "vitest";
import { usePostgres } from "../postgres/use.ts";
import type { Place } from "../world.ts";
import { exerciseStore } from "./conformance.ts";

const postgres = usePostgres();

describe("a server's store", () => exerciseStore((): Promise<Place> => postgres.places.open(), true));
