import { inject } from "vitest";
import { useStore } from "../world.ts";
import { postgresPlaces } from "./place.ts";

/** Before a test file that runs on every store: this time its places are on the PostgreSQL of shared.ts. */

useStore(postgresPlaces(inject("postgres")).open);
