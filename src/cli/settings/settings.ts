import { type Setting, valueOf } from "./setting.ts";
import { SETTINGS } from "./table.ts";

type ValueOf<Declared> = Declared extends Setting<infer Value> ? Value : never;

/** The values of all settings (contract, section 9). */
export type Settings = { readonly [Key in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[Key]> };

/**
 * Reads all settings from the environment; the option `--database` wins. Throws a UsageError for the first invalid one,
 * even if the command does not need it.
 */
export function readSettings(environment: NodeJS.ProcessEnv, database?: string): Settings {
  const of = <Value>(setting: Setting<Value>) => valueOf(setting, environment[setting.name]);
  const settings = {
    database: of(SETTINGS.database),
    publicUrl: of(SETTINGS.publicUrl),
    rateLimit: of(SETTINGS.rateLimit),
    logLevel: of(SETTINGS.logLevel),
    trustedProxies: of(SETTINGS.trustedProxies),
    documentsFolder: of(SETTINGS.documentsFolder),
    documentsSize: of(SETTINGS.documentsSize),
    startPort: of(SETTINGS.startPort),
    remoteUrl: of(SETTINGS.remoteUrl),
    remoteToken: of(SETTINGS.remoteToken),
  };
  if (database === undefined) return settings;
  return { ...settings, database: valueOf(SETTINGS.database, database, "--database") };
}
