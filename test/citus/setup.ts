import { useStore } from "../world.ts";
import { strictPlaces } from "./cluster.ts";

/** Runs before each test file that every store must pass: makes the file's databases on the cluster. */

useStore(strictPlaces.open);
