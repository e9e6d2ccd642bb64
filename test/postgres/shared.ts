import type { TestProject } from "vitest/node";
import { startPostgres } from "./server/server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the PostgreSQL that the test files of a project share. */
    postgres: string;
  }
}

/** Runs before the test files of a project: starts one PostgreSQL for all, on which each file gets its own places. */
export default async function share({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  provide("postgres", server.url());
  return () => server.close();
}
