import type { TestProject } from "vitest/node";
import { startPostgres } from "./server/server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the PostgreSQL that all test files of a project share. */
    postgres: string;
  }
}

/** Runs before the test files of a project. Starts one PostgreSQL for all; each file gets its own places there. */
export default async function share({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  provide("postgres", server.url());
  return () => server.close();
}
