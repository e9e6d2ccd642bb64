import { readFileSync } from "node:fs";
import type { Response } from "../server/capture.ts";

/** Reads the responses that {@link capture} wrote. */
export function responsesOf(file: string): Response[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}
