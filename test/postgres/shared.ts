import type { TestProject } from "vitest/node";
import { startPostgres } from "./server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the PostgreSQL that the files of a project share. */
    postgres: string;
  }
}

/** Before the files of a project: one PostgreSQL for them all, each of which gets places of its own on it. */
export default async function share({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  provide("postgres", server.url());
  return () => server.close();
}
