const QUOTE = 0x22;

/**
 * The first key that an object in a JSON text has twice, or `undefined`. `JSON.parse` silently takes the last value,
 * so a permission could differ from what a person sees in the file. `text` must be valid JSON; `value` is its parsed
 * value.
 */
export function repeatedKey(text: string, value: object): string | undefined {
  // Fast path: a quotation mark and a colon end each key. If they are as many as the value's keys, none is repeated.
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

/** JSON's white space. */
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
