/** Preloaded into the program. At the end, writes the peak memory in bytes to the file PEAK_LOG. */
import { writeFileSync } from "node:fs";
import { peakMemory } from "./peak-memory.ts";

const log = process.env.PEAK_LOG ?? "";

process.on("exit", () => writeFileSync(log, String(peakMemory())));
