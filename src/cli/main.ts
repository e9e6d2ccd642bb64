/** Runs `rolebook` with the arguments of the process. */
import { CommanderError } from "commander";
import { program } from "./program/program.ts";

// A reader of the result, such as `head`, may close the pipe early.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(1);
});

program(process.argv)
  .then((rolebook) => rolebook.parseAsync())
  .catch(async (error: unknown) => {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else (await import("./fail.ts")).fail(error);
  });
