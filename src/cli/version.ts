import manifest from "#root/package.json" with { type: "json" };

export function versionOf(): string {
  return manifest.version;
}
