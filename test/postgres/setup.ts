import { inject } from "vitest";
import { useStore } from "../world.ts";
import { postgresPlaces } from "./place.ts";

/** Runs before each test file that is run on every store: makes the file's databases on the PostgreSQL of shared.ts. */

useStore(postgresPlaces(inject("postgres")).open);
