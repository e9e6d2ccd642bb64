/**
 * Compares two ids by their UTF-8 bytes, the order of every listing (docs/api.md). JavaScript's `<` compares
 * UTF-16 units and would sort U+1F600 before U+FF61.
 */
export function compareIds(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return sortKey(x) - sortKey(y);
  }
  return a.length - b.length;
}

/** Surrogates encode the highest code points, so they sort last. */
function sortKey(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Accepts the id of anything but a user (docs/snapshot.md). */
export const ID = /^[A-Za-z0-9_-]{1,128}$/;
