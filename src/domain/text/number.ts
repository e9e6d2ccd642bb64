/** A number and its noun, such as `1 member` or `1,200 members`. */
export function counted(number: number, noun: string): string {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/** Bytes in millions, such as `0.4`. */
export function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
