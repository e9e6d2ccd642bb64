import type { RulesArguments } from "./examine-rules.ts";

export interface ApplyArguments extends RulesArguments {
  readonly database?: string;
  readonly dryRun?: boolean;
  readonly details?: boolean;
  readonly format?: string;
  readonly complete?: boolean;
  readonly allowRemovals?: boolean;
  readonly note?: string;
  readonly wait?: string;
  readonly follow?: boolean;
  readonly json?: boolean;
}
