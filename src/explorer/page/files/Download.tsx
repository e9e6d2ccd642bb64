import { useListLength } from "../list/List.tsx";
import { Icon } from "../parts/Icon.tsx";
import { Button } from "../parts/controls.tsx";
import { useValue } from "../parts/observable.ts";
import { type Address, listQuery } from "../session/address.ts";
import { useSession } from "../session/session.ts";
import { type Exporter, type Job, outcome, progress } from "./exporter.ts";
import { fileName } from "./save.ts";

interface CsvButtonProps {
  address: Address;
  /** `undefined` until the subject is loaded. */
  title: string | undefined;
  /** The length of the list without filters. */
  total: number | undefined;
}

export function CsvButton({ address, title, total }: CsvButtonProps) {
  const { exporter, client } = useSession();
  const length = useListLength(address, total);
  const writing = useValue(exporter.job)?.state === "writing";
  return (
    <Button
      class="btn"
      aria-disabled={writing}
      onClick={() => {
        const file = fileName(title ?? address.id, address, client.shown.value);
        void exporter.start(listQuery(address) ?? {}, file, length);
      }}
    >
      <Icon name="down" />
      CSV
    </Button>
  );
}

/**
 * The progress and result of a download, below the list. It directly follows the buttons in tab order, so that Cancel
 * does not come after all filters and rows.
 */
export function Progress() {
  const { exporter } = useSession();
  const job = useValue(exporter.job);
  return job && <footer class="foot">{shown(job, exporter)}</footer>;
}

function shown(job: Job, exporter: Exporter) {
  if (job.state === "writing")
    return (
      <span class="prog">
        <label for="written">
          Writing <b>{job.file}</b>
        </label>
        <progress id="written" max={job.total ?? 1} value={job.total === undefined ? undefined : job.rows} />
        <span class="pv">{progress(job)}</span>
        <Button onClick={() => exporter.cancel()}>Cancel</Button>
      </span>
    );
  return (
    <span class="prog">
      <span>{outcome(job)}</span>
      {(job.state === "stopped" || job.state === "refused") && (
        <Button onClick={() => exporter.again()}>Start again</Button>
      )}
    </span>
  );
}
