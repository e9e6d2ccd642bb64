const QUOTE = 0x22;

/**
 * The first key that an object of a JSON text has twice, or `undefined`. `JSON.parse` would silently take the last
 * one, and a permission would be other than what a reader of the file sees. `text` must be valid JSON; `value` is
 * what it parses to.
 */
export function repeatedKey(text: string, value: object): string | undefined {
  // Every key is followed by a colon, and few texts hold that pair of characters elsewhere: mostly this is all.
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

/** What JSON takes for white space. */
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
