import * as fc from "fast-check";
import { SEED } from "./seed.ts";

/** Runs before every test file, and sets the seed of its random values. */

if (SEED !== undefined) fc.configureGlobal({ seed: SEED });
