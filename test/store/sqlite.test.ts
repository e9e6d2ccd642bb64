import { describe } from "vitest";
import { sqlitePlace } from "../world.ts";
import { exerciseStore } from "./conformance.ts";

describe("the embedded store", () => exerciseStore(sqlitePlace));
