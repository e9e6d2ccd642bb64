import type { Phrase } from "../../wire.ts";

/** A phrase; names stand apart from the direction of the text around them. */
export function Words({ phrase }: { phrase: Phrase }) {
  return (
    <>
      {phrase.map((part, at) => {
        if (typeof part === "string") return part;
        if ("name" in part) return <bdi key={at}>{part.name}</bdi>;
        return <strong key={at}>{part.verdict}</strong>;
      })}
    </>
  );
}
