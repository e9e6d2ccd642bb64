export interface CsvLine {
  readonly cells: string[];
  readonly from: number;
  readonly starts: number[];
}

/** The records of a CSV text (RFC 4180). Throws an Error if a quoted cell has no end. */
export function recordsOf(text: string): CsvLine[] {
  const found: CsvLine[] = [];
  let line: CsvLine = { cells: [], from: 0, starts: [0] };
  for (let at = 0; at < text.length;) {
    let value = "";
    if (text[at] === '"') {
      for (at++; ; at++) {
        const end = text.indexOf('"', at);
        if (end < 0) throw new Error("A quoted cell has no end.");
        value += text.slice(at, end);
        at = end + 1;
        if (text[at] !== '"') break;
        value += '"';
      }
    } else {
      const end = nextOf(text, at);
      value = text.slice(at, end);
      at = end;
    }
    line.cells.push(value);
    if (text[at] === ",") {
      line.starts.push(++at);
      if (at === text.length) line.cells.push("");
      continue;
    }
    while (text[at] === "\r" || text[at] === "\n") {
      const ended = text[at] === "\n";
      at++;
      if (ended) break;
    }
    found.push(line);
    line = { cells: [], from: at, starts: [at] };
  }
  if (line.cells.length > 0) found.push(line);
  return found;
}

function nextOf(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== "," && text[at] !== "\r" && text[at] !== "\n") at++;
  return at;
}
