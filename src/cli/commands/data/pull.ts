import type { Command } from "commander";
import { manifestOf } from "../../../connectors/gitbook/manifest.ts";
import { probe } from "../../../connectors/gitbook/verify/probe.ts";
import { pull } from "../../../connectors/gitbook/pull.ts";
import { snapshotOf } from "../../../connectors/gitbook/records.ts";
import { differencesAsText, verify } from "../../../connectors/gitbook/verify/verify.ts";
import { piecesOf, whole, writeSnapshot } from "../../../connectors/output.ts";
import { CommandError } from "../../../domain/error.ts";
import { print, say, write } from "../../context.ts";
import { importCommand } from "./import.ts";
import { PullLine } from "../../output/status/pull-line.ts";
import { addPullOptions, type PullArguments, readPull } from "./pull-options.ts";
import { summaryOf } from "../../output/pull-summary.ts";

export function addPulls(pulls: Command): void {
  addPullOptions(
    pulls
      .command("gitbook")
      .description(
        "write an organization of GitBook as a snapshot, with its admin's token in GITBOOK_TOKEN; see docs/gitbook.md",
      ),
  ).action(pullGitbookCommand);
}

/** `rolebook pull gitbook`: reads an organization of GitBook, and writes it as a snapshot or imports it. */
export async function pullGitbookCommand(options: PullArguments): Promise<void> {
  const { accept, verify: most, client } = readPull(options);
  const line = new PullLine(client);
  try {
    if (options.probe === true) {
      for await (const finding of probe(client, options.organization)) await print(finding);
      return;
    }
    const pulled = await pull(client, options.organization, {
      accept,
      progress: (step) => line.report(step),
    });
    if (most !== undefined) line.compare();
    const verified = most === undefined ? undefined : await verify(client, pulled, most);
    line.end();
    const manifest = manifestOf(pulled, { api: client.api.url, requests: client.requests, verified });
    say(summaryOf(manifest));
    if (verified !== undefined && verified.differences.length > 0) {
      throw new CommandError(`${differencesAsText(verified)}\nNothing was written.`);
    }
    const { output, manifest: file } = options;
    if (output !== undefined || options.import !== true)
      await writeSnapshot(snapshotOf(pulled), output, write);
    if (file !== undefined) await whole(file, async (put) => put(`${JSON.stringify(manifest, null, 2)}\n`));
    if (options.import === true)
      await importCommand([{ name: "GitBook", pieces: piecesOf(snapshotOf(pulled)) }], options);
  } finally {
    line.end();
  }
}
