import { inject } from "vitest";
import { useStore } from "../world.ts";
import { postgresPlaces } from "./place.ts";

/** Runs before a test file that runs on every store: puts its places on the PostgreSQL of shared.ts. */

useStore(postgresPlaces(inject("postgres")).open);
