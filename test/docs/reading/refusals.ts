import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { STATUS } from "../../../src/domain/error.ts";

/** A refusal as worded in the code, with `…` for each value. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** The placeholder for a value in a message. */
export const VALUE = "…";

/** Every refusal in the sources below a folder. Throws on a wording that it cannot parse, so that none is missed. */
export function refusalsIn(folder: string): Refusal[] {
  const found = new Map<string, Refusal>();
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    // The explorer's requests are not part of the API: neither OpenAPI nor this page describes them.
    if (!file.endsWith(".ts") || /(^|\/)explorer/.test(file)) continue;
    const source = readFileSync(join(folder, file), "utf8");
    for (const refusal of [...apiErrors(source, file), ...rawErrors(source)]) {
      found.set(`${refusal.status} ${refusal.message}`, refusal);
    }
  }
  return [...found.values()];
}

/** Finds `new ApiError("code", message`, or the same in the constructor of its own class; if the message is a parameter of a function, finds the calls of that function. */
function apiErrors(source: string, file: string): Refusal[] {
  return [...source.matchAll(/new ApiError\(|extends ApiError \{\s*constructor\(\) \{\s*super\(/g)].flatMap(
    ({ index, 0: match }) => {
      const code = textAt(source, index + match.length);
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
    },
  );
}

/** Finds `[400, "message"` and `refuse(socket, 405, "message"`: refusals that are sent before there is a request. */
function rawErrors(source: string): Refusal[] {
  return [...source.matchAll(/(?:return \[|refuse\(socket, )(\d{3}), /g)].map(
    ({ index, 0: match, 1: status }) => {
      const message = textAt(source, index + match.length);
      if (message === undefined) throw new Error("a raw refusal without a message");
      return { status: Number(status), message: message.text };
    },
  );
}

/** The string or template literal that begins at an index, after white space, and the index of its end. */
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

/** The end of the `${…}` that is open at an index. */
function endOfValue(source: string, from: number): number {
  let depth = 1;
  let index = from;
  for (; depth > 0; index++) {
    if (source[index] === "{") depth++;
    if (source[index] === "}") depth--;
  }
  return index;
}

/** Whether a message matches a pattern, in which each `…` matches anything. */
export function fits(pattern: string, message: string): boolean {
  const escaped = pattern.split(VALUE).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${escaped.join(".+")}$`, "s").test(message);
}
