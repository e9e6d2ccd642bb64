import { describe } from "vitest";
import { exerciseStore } from "../store/conformance.ts";
import { citusPlaces } from "./cluster.ts";

describe("a store on several nodes", () => exerciseStore(() => citusPlaces.open(), true));
