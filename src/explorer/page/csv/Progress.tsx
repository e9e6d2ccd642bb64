import { useCell } from "../parts/cell.ts";
import { useSession } from "../session.ts";
import { outcome, progress } from "./exporter.ts";

/** The list's foot: its number, or the file being written and what became of it. */
export function Progress({ status }: { status: string }) {
  const { exporter } = useSession();
  const job = useCell(exporter.job);
  if (!job) return <span class="status">{status}</span>;
  if (job.state === "writing")
    return (
      <span class="prog">
        <label for="written">
          Writing <b>{job.file}</b>
        </label>
        <progress id="written" max={job.total ?? 1} value={job.total === undefined ? undefined : job.rows} />
        <span class="pv">{progress(job)}</span>
        <button type="button" class="link" onClick={() => exporter.cancel()}>
          Cancel
        </button>
      </span>
    );
  return (
    <span class="prog">
      <span>{outcome(job)}</span>
      {(job.state === "stopped" || job.state === "refused") && (
        <button type="button" class="link" onClick={() => exporter.again()}>
          Start again
        </button>
      )}
    </span>
  );
}
