import { UsageError } from "../../../domain/error.ts";
import type { Finding } from "../../../review/tidy/finding.ts";
import { tidy } from "../../../review/tidy/tidy.ts";
import type { Reader } from "../../../store/engine/engine.ts";
import { readConsistently } from "../../../store/revisions/consistent-read.ts";
import type { Revision } from "../../../store/reading.ts";
import { chooseOrganization } from "../../choose.ts";
import { say, withExistingStore, write } from "../../context.ts";
import { readAt } from "../../options.ts";
import { TemporaryFile } from "../../output/temporary-file.ts";
import { StatusLine } from "../../output/status/status-line.ts";
import { TIDY_FORMATS, type TidyOutput, tidyOutput } from "../../output/tidy-output.ts";

export interface TidyArguments {
  readonly organization?: string;
  readonly format?: string;
  readonly at?: string;
  readonly database?: string;
}

/** `rolebook tidy`: lists what can be tidied up, and why, or makes a change file that removes redundant permissions. */
export async function tidyCommand(options: TidyArguments): Promise<void> {
  const format = TIDY_FORMATS.find((each) => each === (options.format ?? "table"));
  if (format === undefined) {
    const accepted = TIDY_FORMATS.join(", ");
    throw new UsageError(`--format is ${JSON.stringify(options.format)}; accepted: ${accepted}.`);
  }
  const when = readAt(options.at);
  await withExistingStore(options.database, async ({ store }) => {
    const { organization } = await chooseOrganization(store, options.organization);
    // The output waits in a temporary file: a slow reader must not prolong the consistent read.
    const buffer = new TemporaryFile();
    const line = new StatusLine();
    try {
      const look = async (at: Revision, reader: Reader) => {
        const output = tidyOutput(format, at, (text) => buffer.write(Buffer.from(text)));
        const progress = (contents: number) =>
          line.show(() => `Checked ${contents.toLocaleString("en")} contents`);
        for await (const findings of tidy(store.reading(at, reader), progress)) add(output, findings);
        return output;
      };
      const output = await readConsistently(store, organization, look, when).finally(() => line.end());
      output.end();
      for (const chunk of buffer.read()) await write(chunk);
      say(output.summary());
    } finally {
      buffer.close();
    }
  });
}

function add(output: TidyOutput, findings: readonly Finding[]): void {
  for (const finding of findings) output.add(finding);
}
