import { useEffect, useRef } from "preact/hooks";
import type { Hit } from "../../wire.ts";
import { KindIcon } from "../parts/Icon.tsx";
import { emoji } from "../words/emoji.ts";
import { marksOf } from "../words/match.ts";
import { nameOf, pathText, visible } from "../words/names.ts";
import { count } from "../words/number.ts";

interface Props {
  hit: Hit;
  q: string;
  id: string;
  chosen: boolean;
  onChoose(): void;
}

/** A match: what it is called, where it is, what kind of thing it is. */
export function Option({ hit, q, id, chosen, onChoose }: Props) {
  const option = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (chosen) option.current?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return (
    <li ref={option} role="option" id={id} aria-selected={chosen} onClick={onChoose}>
      <KindIcon kind={hit.kind} emoji={hit.kind === "space" ? emoji(hit.emoji ?? "") : undefined} />
      <span class="pt">
        <Marked text={nameOf(hit)} q={q} />
      </span>
      <span class="ps">
        <Marked text={aside(hit)} q={hit.kind === "member" ? q : ""} />
      </span>
      <span class="pk">{hit.kind}</span>
    </li>
  );
}

function aside(hit: Hit): string {
  if (hit.kind === "member") return visible(hit.email ?? hit.id);
  if (hit.kind === "site") return count(hit.spaces, "space");
  if (hit.kind === "team") return count(hit.members, "member");
  return pathText(hit.path);
}

function Marked({ text, q }: { text: string; q: string }) {
  const marks = marksOf(text, q);
  return (
    <bdi>
      {marks.map(([start, end], at) => (
        <>
          {text.slice(marks[at - 1]?.[1] ?? 0, start)}
          <mark>{text.slice(start, end)}</mark>
        </>
      ))}
      {text.slice(marks.at(-1)?.[1] ?? 0)}
    </bdi>
  );
}
