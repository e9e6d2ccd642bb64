import * as fc from "fast-check";
import { SEED } from "./seed.ts";

/** Before every test file: what is random in it follows from the seed. */

if (SEED !== undefined) fc.configureGlobal({ seed: SEED });
