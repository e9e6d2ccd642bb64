import { useRef, useState } from "preact/hooks";
import type { Hit } from "../../../wire/search.ts";
import { HOME, of, type Address } from "../../session/address/address.ts";
import { useAnswer } from "../../session/ask/answers.ts";
import type { Query } from "../../session/ask/client.ts";
import { useCell } from "../../parts/cell.ts";
import { CloseButton, Dialog } from "../../parts/controls/Dialog.tsx";
import { Icon } from "../../parts/Icon.tsx";
import { useLate } from "../../parts/late.ts";
import { useSession, type Finding } from "../../session/session.ts";
import { seesAll } from "../side/seesAll.ts";
import { nameOf } from "../../words/names.ts";
import { count } from "../../words/number.ts";
import { Option } from "./Option.tsx";
import { fieldOf, labelOf, searchStatus } from "./search-status.ts";
import { useSearch } from "./useSearch.ts";

/** A search that takes longer than this (ms) is reported as slow. */
const SLOW = 400;

/**
 * The search dialog, a combobox. For "Check a person" and "Check a space", the choice opens Why on the shown subject.
 */
export function Palette({ address }: { address: Address }) {
  const { finding } = useSession();
  const what = useCell(finding);
  return what && <Box key={what} what={what} address={address} />;
}

function Box({ what, address }: { what: Finding; address: Address }) {
  const { finding, walk, client, counts, recent } = useSession();
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const typed = text.trim();
  const all = seesAll(useCell(client.me));
  const { q, answer, failure } = useSearch(text, queryOf(what, address));
  const before = what === "anything" && typed === "" ? recent.filter((hit) => hit.id !== address.id) : [];
  const hits = [...before, ...(answer?.items ?? []).filter((hit) => fits(what, hit))];
  const more = answer?.more === true;
  const rest = more && all && what === "anything";
  // The number appears when it arrives, because counting may take longer than the search.
  const number = useAnswer(counts, rest ? { list: "found", q } : undefined).answer?.filtered?.total;
  const last = rest ? hits.length : hits.length - 1;
  const chosen = Math.min(at, last);
  const away = useCell(client.connection.trouble)?.kind === "away";
  const slow = useLate(typed !== q, SLOW);
  const words = searchStatus(what, all, {
    q,
    text: typed,
    found: hits.length,
    more,
    failure,
    slow,
    away,
    recent: before.length > 0,
  });

  function choose(index: number): void {
    const hit = hits[index];
    const to = hit ? addressOf(what, address, hit) : { ...HOME, view: "found" as const, q };
    if (!hit && !rest) return;
    // Closing moves the focus back to where it was; the chosen view takes it after that.
    dialog.current?.close();
    walk.choose(to);
  }

  return (
    <Dialog box={dialog} label={labelOf(what, all)} onClose={() => finding.set(undefined)}>
      <div class="pin">
        <Icon name="search" />
        <input
          role="combobox"
          autofocus
          aria-expanded={last >= 0}
          aria-controls="matches"
          aria-activedescendant={chosen >= 0 ? `match-${chosen}` : undefined}
          aria-autocomplete="list"
          aria-label={labelOf(what, all)}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          enterkeyhint="go"
          placeholder={fieldOf(what, all)}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setAt(0);
          }}
          onKeyDown={(event) => {
            if (event.isComposing) return;
            const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (by && last >= 0) setAt((chosen + by + last + 1) % (last + 1));
            else if (event.key === "Enter") choose(chosen);
            else return;
            event.preventDefault();
          }}
        />
        <CloseButton box={dialog} />
      </div>
      <ul role="listbox" id="matches" aria-label="Matches">
        {hits.map((hit, index) => (
          <Option
            key={`${hit.kind}/${hit.id}`}
            hit={hit}
            q={q}
            id={`match-${index}`}
            chosen={index === chosen}
            onChoose={() => choose(index)}
          />
        ))}
        {rest && (
          <li
            role="option"
            id={`match-${hits.length}`}
            aria-selected={chosen === hits.length}
            onClick={() => choose(hits.length)}
          >
            <Icon name="search" />
            <span class="pt">
              {number === undefined ? "All matches" : `All ${count(number, "match", "matches")}`}
            </span>
          </li>
        )}
      </ul>
      <p class="pf">
        <span>{words}</span>
        <span>Arrows choose, Enter opens, Esc closes</span>
      </p>
      <p class="vh" role="status">
        {hits[0] && typed !== "" ? `${nameOf(hits[0])}, ${hits[0].kind}. ` : ""}
        {words}
      </p>
    </Dialog>
  );
}

/**
 * The parameters of a search besides its text. A search for a person to check also requests each person's role on the
 * shown subject.
 */
function queryOf(what: Finding, { view, id }: Address): Query {
  if (what === "other") return { kind: "member" };
  return what === "member" ? { kind: "member", [view]: id } : {};
}

/** The address of a comparison with `user`: of the shown member, or of `user` within the shown collection or site. */
function compareWith({ view, id, on }: Address, user: string): Address {
  const whole = { view: "compare", tab: "" } as const;
  if (view === "collection" || view === "site") return { ...whole, id: user, on: `${view}/${id}` };
  return { ...whole, id, other: user, ...(on !== undefined && { on }) };
}

function fits(what: Finding, { kind }: Hit): boolean {
  return what !== "content" || kind === "space" || kind === "collection" || kind === "site";
}

function addressOf(what: Finding, address: Address, { kind, id }: Hit): Address {
  if (what === "anything") return of(kind, id);
  if (what === "other") return compareWith(address, id);
  // On a member's view, `why` is the id of a space, or a kind and an id.
  return { ...address, why: what === "member" || kind === "space" ? id : `${kind}/${id}` };
}
