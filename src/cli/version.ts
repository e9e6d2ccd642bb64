import manifest from "#root/package.json" with { type: "json" };

/** The program's version, from its package.json. */
export function versionOf(): string {
  return manifest.version;
}
