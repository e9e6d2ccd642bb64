const QUOTE = 0x22;

/**
 * The first key that an object in `text` has twice. `JSON.parse` takes the last value without a warning, so a
 * permission could be another one than a person reads. `text` must be valid JSON, and `value` its parsed value.
 */
export function repeatedKey(text: string, value: object): string | undefined {
  // Fast path: each key ends with a quotation mark and a colon. If there are as many of these as keys in the value, no
  // key is repeated.
  return colonsAfterQuotes(text) === keysIn(value) ? undefined : search(text);
}

function colonsAfterQuotes(text: string): number {
  let colons = 0;
  for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", at + 1)) {
    let before = at - 1;
    while (isWhite(text.charCodeAt(before))) before--;
    if (text.charCodeAt(before) === QUOTE) colons++;
  }
  return colons;
}

function isWhite(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}

function keysIn(value: object): number {
  let keys = 0;
  for (const inner of Object.values(value)) {
    if (typeof inner === "object" && inner !== null) keys += keysIn(inner);
  }
  return Array.isArray(value) ? keys : keys + Object.keys(value).length;
}

function search(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [token, key] of text.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (key !== undefined) {
      const name = String(JSON.parse(key));
      const seen = open.at(-1);
      if (seen?.has(name)) return name;
      seen?.add(name);
    }
  }
  return undefined;
}
