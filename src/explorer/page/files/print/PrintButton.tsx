import { Icon } from "../../parts/Icon.tsx";
import { useSession } from "../../session/session.ts";
import { print } from "./print.tsx";

/** Prints the whole list. */
export function PrintButton() {
  const session = useSession();
  return (
    <button type="button" class="btn" onClick={() => void print(session)}>
      <Icon name="print" />
      Print
    </button>
  );
}
