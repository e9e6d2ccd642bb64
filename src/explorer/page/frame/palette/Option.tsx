import { useEffect, useRef } from "preact/hooks";
import type { Hit } from "../../../wire/search.ts";
import { Deleted } from "../../parts/Deleted.tsx";
import { KindIcon } from "../../parts/Icon.tsx";
import { RoleLabel } from "../../parts/Meter.tsx";
import { Path } from "../../parts/Path.tsx";
import { marksOf } from "../../words/match.ts";
import { nameOf, visible } from "../../words/names.ts";
import { count } from "../../words/number.ts";

interface Props {
  hit: Hit;
  q: string;
  id: string;
  chosen: boolean;
  onChoose(): void;
}

export function Option({ hit, q, id, chosen, onChoose }: Props) {
  const option = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (chosen) option.current?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return (
    <li ref={option} role="option" id={id} aria-selected={chosen} onClick={onChoose}>
      <KindIcon of={hit} />
      <span class="pt">
        <Marked text={nameOf(hit)} q={q} />
      </span>
      {hit.kind === "space" && <Deleted of={hit} />}
      <span class="ps">
        {"path" in hit ? (
          <Path path={hit.path} />
        ) : (
          <Marked text={aside(hit)} q={hit.kind === "member" ? q : ""} />
        )}
      </span>
      {hit.kind === "member" && hit.role !== undefined ? (
        <span class="pr">{hit.role === null ? "no access" : <RoleLabel role={hit.role} />}</span>
      ) : (
        <span class="pk">{hit.kind}</span>
      )}
    </li>
  );
}

export function aside(hit: Exclude<Hit, { readonly path: unknown }>): string {
  if (hit.kind === "member") return visible(hit.email ?? hit.id);
  if (hit.kind === "site") return count(hit.spaces, "space");
  return count(hit.members, "member");
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
