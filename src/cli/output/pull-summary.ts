import type { Manifest } from "../../connectors/gitbook/manifest.ts";
import { quote } from "../../domain/text.ts";

const SHOWN = 20;

/** What a pull has read and what it has left out. */
export function summaryOf(manifest: Manifest): string {
  const { organization, window, requests, readings, settled, disabled, gone, accepted, verified } = manifest;
  const lines = [
    `Read organization ${organization} between ${window.from} and ${window.to}: ` +
      `${requests} requests, its lists ${readings} times.`,
  ];
  if (!settled)
    lines.push("The organization kept changing during the pull: the latest changes may be missing.");
  if (disabled.length > 0) lines.push(`Left out disabled members, ${some(disabled)}.`);
  if (gone.length > 0) lines.push(`Disappeared during the pull, ${some(gone)}.`);
  for (const { kind, at } of accepted) lines.push(`Accepted ${kind}, ${some(at)}.`);
  if (verified !== undefined) {
    const { contents, members, sites, differences } = verified;
    lines.push(
      `Compared ${contents} contents, ${members} members and ${sites} sites with GitBook's own lists: ` +
        `${differences.length} differences.`,
    );
  }
  return lines.join("\n");
}

function some(names: readonly string[]): string {
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : "";
  return `${names.length}: ${names.slice(0, SHOWN).map(quote).join(", ")}${more}`;
}
