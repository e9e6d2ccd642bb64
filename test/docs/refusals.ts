import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { STATUS } from "../../src/domain/error.ts";

/** A refusal as the code words it: `…` stands for each value in it. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** What stands for a value in a message. */
export const VALUE = "…";

/**
 * Every refusal that the sources under a folder can make. Throws on one that is worded in a way that this does not
 * understand, so that none is overlooked.
 */
export function refusalsIn(folder: string): Refusal[] {
  const found = new Map<string, Refusal>();
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    // What the explorer's page asks for is not part of the API: it is in neither OpenAPI nor this page.
    if (!file.endsWith(".ts") || /(^|\/)explorer/.test(file)) continue;
    const source = readFileSync(join(folder, file), "utf8");
    for (const refusal of [...apiErrors(source, file), ...rawErrors(source)]) {
      found.set(`${refusal.status} ${refusal.message}`, refusal);
    }
  }
  return [...found.values()];
}

/** `new ApiError("code", message`, and where the message is a parameter of a function, the calls of that. */
function apiErrors(source: string, file: string): Refusal[] {
  return [...source.matchAll(/new ApiError\(/g)].flatMap(({ index }) => {
    const code = textAt(source, index + "new ApiError(".length);
    const [, status] = Object.entries(STATUS).find(([name]) => name === code?.text) ?? [];
    if (code === undefined || status === undefined) throw new Error(`${file}: an ApiError without a code`);
    const start = source.indexOf(",", code.end) + 1;
    const message = textAt(source, start);
    if (message !== undefined) return [{ status, message: message.text }];
    const [, name = ""] = /function (\w+)\(message: string\)[^}]*$/.exec(source.slice(0, index)) ?? [];
    const calls = [...source.matchAll(new RegExp(`(?<!function )\\b${name || "?"}\\(`, "g"))].map((call) =>
      textAt(source, call.index + call[0].length),
    );
    if (name === "" || calls.length === 0) throw new Error(`${file}: an ApiError without a message`);
    return calls.map((call) => {
      if (call === undefined) throw new Error(`${file}: ${name} without a message`);
      return { status, message: call.text };
    });
  });
}

/** `[400, "message"`, `refuse(socket, 405, "message"`: what is sent before there is a request. */
function rawErrors(source: string): Refusal[] {
  return [...source.matchAll(/(?:return \[|refuse\(socket, )(\d{3}), /g)].map(
    ({ index, 0: match, 1: status }) => {
      const message = textAt(source, index + match.length);
      if (message === undefined) throw new Error("a raw refusal without a message");
      return { status: Number(status), message: message.text };
    },
  );
}

/** The string or template literal that begins behind white space at an index, and where it ends. */
function textAt(source: string, from: number): { text: string; end: number } | undefined {
  const start = from + (/^\s*/.exec(source.slice(from))?.[0].length ?? 0);
  const quote = source[start];
  if (quote === '"') {
    const [literal] = /^"(?:[^"\\]|\\.)*"/.exec(source.slice(start)) ?? [];
    if (literal === undefined) return undefined;
    const text: string = JSON.parse(literal);
    return { text, end: start + literal.length };
  }
  if (quote !== "`") return undefined;
  let text = "";
  let index = start + 1;
  while (source[index] !== "`") {
    if (source.startsWith("${", index)) {
      index = endOfValue(source, index + 2);
      text += VALUE;
    } else text += source[index++];
  }
  return { text, end: index + 1 };
}

/** Where a `${…}` ends that begins before an index. */
function endOfValue(source: string, from: number): number {
  let depth = 1;
  let index = from;
  for (; depth > 0; index++) {
    if (source[index] === "{") depth++;
    if (source[index] === "}") depth--;
  }
  return index;
}

/** Whether a message could have been made from a pattern: each `…` of the pattern stands for anything. */
export function fits(pattern: string, message: string): boolean {
  const escaped = pattern.split(VALUE).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${escaped.join(".+")}$`, "s").test(message);
}
