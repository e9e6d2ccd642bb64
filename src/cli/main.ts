/** Runs `rolebook` with the arguments of the process. */
import { run } from "./program.ts";

// A reader of the result, such as `head`, may close the pipe early.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(1);
});

void run(process.argv);
