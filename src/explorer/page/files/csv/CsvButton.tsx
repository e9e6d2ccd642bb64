import { listOf, type Address } from "../../session/address/address.ts";
import { useCell } from "../../parts/cell.ts";
import { Icon } from "../../parts/Icon.tsx";
import { useSession } from "../../session/session.ts";
import { fileName } from "./fileName.ts";
import { Button } from "../../parts/controls/Button.tsx";

interface Props {
  address: Address;
  /** `undefined` until the subject is loaded. */
  title: string | undefined;
  total: number | undefined;
}

export function CsvButton({ address, title, total }: Props) {
  const { exporter, client } = useSession();
  const writing = useCell(exporter.job)?.state === "writing";
  return (
    <Button
      class="btn"
      aria-disabled={writing}
      onClick={() => {
        const file = fileName(title ?? address.id, address, client.shown.value);
        void exporter.start(listOf(address) ?? {}, file, total);
      }}
    >
      <Icon name="down" />
      CSV
    </Button>
  );
}
