import type { Phrase, Ref } from "../../../domain/reason.ts";
import { HOME, of, type Address } from "../session/address/address.ts";
import { nameOf } from "../words/names.ts";
import { Link } from "./Link.tsx";

/** A phrase whose names are links. `bdi` isolates names from the text direction around them. */
export function Words({ phrase }: { phrase: Phrase }) {
  return (
    <>
      {phrase.map((part, at) => {
        if (typeof part === "string") return part;
        if ("verdict" in part) return <strong key={at}>{part.verdict}</strong>;
        const name = <bdi key={at}>{nameOf({ id: part.of?.id ?? "–", title: part.name })}</bdi>;
        if (part.of === undefined) return name;
        return (
          <Link key={at} to={addressOf(part.of)} class="name">
            {name}
          </Link>
        );
      })}
    </>
  );
}

export function addressOf({ kind, id }: Ref): Address {
  return kind === "organization" ? HOME : of(kind, id);
}
