import { useEffect, useRef, useState } from "preact/hooks";
import { withDetail, type Address } from "../../session/address/address.ts";
import { Icon } from "../../parts/Icon.tsx";
import { useSession } from "../../session/session.ts";

/** The list is requested after this pause in typing, in ms. */
const REST = 150;

/** The text filter of a list. Typing replaces the current history entry. */
export function TextFilter({ address, label }: { address: Address; label: string }) {
  const { walk } = useSession();
  const [text, setText] = useState(address.q ?? "");
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  // Back and Forward change the text in the field too.
  useEffect(() => {
    if (walk.move.value.cause !== "type") setText(address.q ?? "");
  }, [address.q]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <label class="filter">
      <span class="vh">{label}</span>
      <Icon name="search" />
      <input
        type="search"
        placeholder={label}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => {
          const { value } = currentTarget;
          setText(value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => walk.type(withDetail(walk.move.value.address, "q", value)), REST);
        }}
      />
    </label>
  );
}
