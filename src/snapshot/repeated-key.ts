/**
 * The first key that an object of a JSON text has twice, or `undefined`. `JSON.parse` would silently take the last
 * one, and a permission would be other than what a reader of the file sees. `text` must be valid JSON; `value` is
 * what it parses to.
 */
export function repeatedKey(text: string, value: object): string | undefined {
  // Every key is followed by a colon, and few texts hold that pair of characters elsewhere: mostly this is all.
  const colons = text.match(/"\s*:/g)?.length ?? 0;
  return colons === keysIn(value) ? undefined : search(text);
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
