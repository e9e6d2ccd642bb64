import type { Help } from "commander";
import type { Setting } from "./setting.ts";
import { SETTINGS } from "./table.ts";

/** The settings as `rolebook --help` lists them. */
export function settingsHelp(help: Help): string {
  const all: Setting<unknown>[] = Object.values(SETTINGS);
  const width = Math.max(...all.map(({ name }) => name.length));
  const items = all.map((setting) => {
    const text = `${setting.help} (accepted: ${setting.accepted}; default: ${defaultOf(setting)})`;
    return help.formatItem(setting.name, width, text.replaceAll("`", ""), help);
  });
  return `\nSettings, from the environment:\n${items.join("\n")}`;
}

/** The settings as a table for docs/operations.md. */
export function settingsTable(): string {
  const rows = Object.values(SETTINGS).map((setting: Setting<unknown>) =>
    [`\`${setting.name}\``, setting.help, setting.accepted, defaultOf(setting)].join(" | "),
  );
  return ["Name | Meaning | Accepted | Default", "---|---|---|---", ...rows]
    .map((row) => (row.startsWith("---") ? `|${row}|` : `| ${row} |`))
    .join("\n");
}

function defaultOf({ otherwise, fallback }: Setting<unknown>): string {
  return otherwise ?? String(fallback);
}
