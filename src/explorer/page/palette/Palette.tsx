import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Hit } from "../../wire.ts";
import { of, type Address } from "../address/address.ts";
import { useCell } from "../parts/cell.ts";
import { Icon } from "../parts/Icon.tsx";
import { useLate } from "../parts/late.ts";
import { useSession } from "../session.ts";
import { wordsThatBegin } from "../words/match.ts";
import { nameOf } from "../words/names.ts";
import { count } from "../words/number.ts";
import { Option } from "./Option.tsx";
import { useSearch } from "./useSearch.ts";

/** After this a search counts as slow, in ms. */
const SLOW = 400;

/** The search: a modal combobox. For members only it opens Why on what is shown. */
export function Palette({ address }: { address: Address }) {
  const { finding } = useSession();
  const what = useCell(finding);
  return what && <Box key={what} members={what === "member"} address={address} />;
}

function Box({ members, address }: { members: boolean; address: Address }) {
  const { finding, walk, client } = useSession();
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const { q, answer, failure } = useSearch(text, members ? "member" : undefined);
  const hits = answer?.items ?? [];
  const chosen = Math.min(at, hits.length - 1);
  const slow = useLate(text.trim() !== q, SLOW);
  const away = useCell(client.connection.trouble)?.kind === "away";
  const words = away
    ? "The server is not answering. What you typed is looked for when it is back."
    : slow
      ? `Looking for “${text.trim()}”…`
      : told(q, text.trim() !== "", hits, answer?.more === true, failure, members);
  const label = members ? "Find a member" : "Find a space, collection, site, member or team";

  useLayoutEffect(() => dialog.current?.showModal(), []);

  function choose(hit: Hit | undefined): void {
    if (!hit) return;
    // Closing gives the focus back to where it was; what is chosen then takes it.
    dialog.current?.close();
    walk.choose(members ? { ...address, why: hit.id } : of(hit.kind, hit.id));
  }

  return (
    <dialog
      ref={dialog}
      class="pal"
      aria-label={label}
      onClose={() => finding.set(undefined)}
      onClick={(event) => event.target === event.currentTarget && event.currentTarget.close()}
    >
      <div class="pin">
        <Icon name="search" />
        <input
          role="combobox"
          autofocus
          aria-expanded={hits.length > 0}
          aria-controls="matches"
          aria-activedescendant={chosen >= 0 ? `match-${chosen}` : undefined}
          aria-autocomplete="list"
          aria-label={label}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          enterkeyhint="go"
          placeholder={members ? "Name or e-mail" : "Title, name or e-mail"}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setAt(0);
          }}
          onKeyDown={(event) => {
            if (event.isComposing) return;
            const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (by && hits.length > 0) setAt((chosen + by + hits.length) % hits.length);
            else if (event.key === "Enter") choose(hits[chosen]);
            else return;
            event.preventDefault();
          }}
        />
        <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
      <ul role="listbox" id="matches" aria-label="Matches">
        {hits.map((hit, index) => (
          <Option
            key={`${hit.kind}/${hit.id}`}
            hit={hit}
            q={q}
            id={`match-${index}`}
            chosen={index === chosen}
            onChoose={() => choose(hit)}
          />
        ))}
      </ul>
      <p class="pf">
        <span>{words}</span>
        <span>Arrows choose, Enter opens, Esc closes</span>
      </p>
      <p class="vh" role="status">
        {hits[0] ? `${nameOf(hits[0])}, ${hits[0].kind}. ` : ""}
        {words}
      </p>
    </dialog>
  );
}

function told(
  q: string,
  typed: boolean,
  hits: readonly Hit[],
  more: boolean,
  failure: unknown,
  members: boolean,
): string {
  if (failure instanceof Error) return failure.message;
  // Nothing is said of what is being looked for before it is late.
  if (q === "" && typed) return "\u00a0";
  if (q === "") return `Type the beginning of ${members ? "a name" : "a title, a name"} or an e-mail`;
  if (hits.length > 0)
    return more ? `The first ${hits.length} matches` : count(hits.length, "match", "matches");
  return `No ${members ? "name" : "title, name"} or e-mail has ${wordsThatBegin(q)}.`;
}
