import { useCell } from "../parts/cell.ts";
import { Icon } from "../parts/Icon.tsx";
import { useSession } from "../session.ts";
import { fileName } from "./exporter.ts";

/** Hands a list over as a file. */
export function CsvButton({ query, total }: { query: Record<string, string>; total: number | undefined }) {
  const { exporter } = useSession();
  const writing = useCell(exporter.job)?.state === "writing";
  return (
    <button
      type="button"
      class="btn"
      aria-disabled={writing}
      onClick={() => void exporter.start(query, fileName(query), total)}
    >
      <Icon name="down" />
      CSV
    </button>
  );
}
