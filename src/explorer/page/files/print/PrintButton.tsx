import { Icon } from "../../parts/Icon.tsx";
import { useSession } from "../../session/session.ts";
import { print } from "./print.tsx";
import { Button } from "../../parts/controls/Button.tsx";

export function PrintButton() {
  const session = useSession();
  return (
    <Button class="btn" onClick={() => void print(session)}>
      <Icon name="print" />
      Print
    </Button>
  );
}
