import type { RulesArguments } from "./examine-rules.ts";

interface WritingArguments extends RulesArguments {
  readonly database?: string;
  readonly dryRun?: boolean;
  readonly details?: boolean;
  readonly format?: string;
  readonly complete?: boolean;
  readonly allowRemovals?: boolean;
  readonly note?: string;
  readonly wait?: string;
  readonly json?: boolean;
}

export interface ImportArguments extends WritingArguments {
  readonly allowEmpty?: boolean;
  readonly base?: string;
}

export interface ApplyArguments extends WritingArguments {
  readonly follow?: boolean;
}
