import { commandLine } from "../../../../domain/explanation/command.ts";
import { useEffect, useMemo, useState } from "preact/hooks";
import { of } from "../../session/address/address.ts";
import { Refusal } from "../../session/ask/refusal.ts";
import { fileName } from "../../files/csv/fileName.ts";
import { openSink } from "../../files/csv/sink.ts";
import { ContentCell, PersonCell, RoleCell } from "../../list/columns.tsx";
import { List } from "../../list/List.tsx";
import { heldRows } from "../../list/heldRows.ts";
import type { ListProps } from "../../list/props.ts";
import type { Column } from "../../list/Table.tsx";
import { useCell } from "../../parts/cell.ts";
import { Command } from "../../parts/controls/Command.tsx";
import { FileButton } from "../../parts/controls/FileButton.tsx";
import { Link } from "../../parts/Link.tsx";
import { useSession } from "../../session/session.ts";
import { moment } from "../../words/date.ts";
import { capital, rawName } from "../../words/names.ts";
import { count, figure } from "../../words/number.ts";
import { type Draft, draftOf, keepDraft } from "./draft.ts";
import { DECISIONS, isIntact, type Mark, parseSheet, type Sheet, type SheetRow, write } from "./sheet.ts";
import { Button } from "../../parts/controls/Button.tsx";

const NONE: Mark = { decision: "", comment: "" };

/** The sheet of an access review, with a decision and a comment per row. It changes nothing in the organization. */
export function Review({ address, subject }: ListProps) {
  const { client, walk, said } = useSession();
  const me = useCell(client.me);
  const turn = useCell(client.turns);
  const [sheet, setSheet] = useState<Sheet | undefined>(undefined);
  const [marks, setMarks] = useState<Readonly<Record<string, Mark>>>({});
  const [saved, setSaved] = useState(true);
  const [status, setStatus] = useState("");
  const [refused, setRefused] = useState(false);
  const holder = me && { organization: me.organization.id, token: me.tokenId };
  const { view, id } = address;

  async function show(text: string, from: "server" | "file"): Promise<void> {
    const next = parseSheet(text);
    if (me && next.organization !== me.organization.id)
      throw new Error(`The sheet is of organization ${next.organization}.`);
    const intact = await isIntact(next);
    if (intact === false)
      throw new Error(
        "Its rows are not those that the server wrote: their SHA-256 differs from the one in its head.",
      );
    const own = Object.fromEntries(next.rows.map((row) => [row.key, row.mark]));
    const draft = from === "server" && holder ? draftOf(holder, next.covers) : undefined;
    const known = new Set(next.rows.map(({ key }) => key));
    const gone = Object.keys(draft?.marks ?? {}).filter((key) => !known.has(key)).length;
    setSheet(next);
    setMarks(decided({ ...own, ...draft?.marks }));
    setSaved(draft?.saved ?? true);
    setStatus(
      [
        from === "file" &&
          (intact
            ? "Opened; its rows are those that the server wrote."
            : "Opened; this browser cannot check its SHA-256."),
        draft && draft.sha256 !== next.sha256 && "Access has changed since this draft was begun.",
        gone > 0 &&
          `${count(gone, "decision")} for rows that no longer exist stay in the draft, but are not in the file.`,
      ]
        .filter(Boolean)
        .join(" "),
    );
  }

  useEffect(() => {
    const stop = new AbortController();
    setSheet(undefined);
    setStatus("");
    setRefused(false);
    const read = async () =>
      show(await (await client.stream({ [view]: id }, stop.signal, "report")).text(), "server");
    read().catch((error: unknown) => {
      if (stop.signal.aborted) return;
      setRefused(error instanceof Refusal);
      setStatus(error instanceof Error ? error.message : "The sheet could not be read.");
    });
    return () => stop.abort();
  }, [client, turn, view, id, holder?.token]);

  function keep(next: Readonly<Record<string, Mark>>, isSaved: boolean): void {
    setMarks(next);
    setSaved(isSaved);
    if (!sheet || !holder) return;
    const draft: Draft = { address: walk.hrefOf(address), sha256: sheet.sha256, marks: next, saved: isSaved };
    if (!keepDraft(holder, sheet.covers, draft))
      setStatus("This browser keeps no draft: save the sheet to a file.");
  }

  function mark({ key }: SheetRow, change: Partial<Mark>): void {
    keep(decided({ ...marks, [key]: { ...NONE, ...marks[key], ...change } }), false);
  }

  async function save(): Promise<void> {
    if (!sheet) return;
    const { revision, imported: importedAt } = sheet;
    const sink = await openSink(fileName(subject ? rawName(subject) : id, address, { revision, importedAt }));
    if (!sink) return;
    const text = write(sheet, (row) => marks[row.key] ?? NONE);
    await sink.write(new TextEncoder().encode(text));
    await sink.close();
    keep(marks, true);
    setStatus(`Saved ${count(sheet.rows.length, "row")}.`);
    said.set("Saved.");
  }

  async function open(file: File): Promise<void> {
    try {
      await show(await file.text(), "file");
    } catch (error) {
      setStatus(`${file.name} was not opened. ${error instanceof Error ? error.message : ""}`);
    }
  }

  const list = useMemo(() => heldRows(sheet?.rows ?? []), [sheet]);
  const done = sheet?.rows.filter(({ key }) => marks[key]?.decision).length ?? 0;
  const other = sheet !== undefined && sheet.revision !== String(client.shown.value?.revision);
  return (
    <>
      <div class="marks">
        <p class="tools">
          <Button class="btn" disabled={!sheet} onClick={() => void save()}>
            Save sheet
          </Button>
          <FileButton label="Open a sheet" field="A sheet to open" open={(file) => void open(file)} />
          {Object.keys(marks).length > 0 && (
            <Button class="btn" onClick={() => keep({}, true)}>
              Discard decisions
            </Button>
          )}
        </p>
        <p>
          <b>Marks only: nothing is changed.</b>{" "}
          {sheet
            ? `${capital(sheet.covers)}; revision ${sheet.revision}, imported ${moment(sheet.imported)}. ${figure(done)} of ${count(sheet.rows.length, "row")} decided${saved ? "" : ", not saved to a file yet"}.`
            : status === "" && "Reading the sheet."}
          {other && " The page shows another revision."}
        </p>
        <p role="status">{status}</p>
        {refused && (
          <Command
            text={`${commandLine("rolebook", "report", `--${view === "member" ? "user" : view}=${id}`)} > review.csv`}
          />
        )}
      </div>
      {sheet && (
        <List
          list={list}
          address={address}
          caption={`Review of ${sheet.covers}`}
          columns={columnsOf(view, marks, mark)}
          rowId={(row) => row.key}
          foot={(total) => `${count(total, "row")}, by content, then by member id`}
          empty="Nobody has a role here: there is nothing to decide."
        />
      )}
    </>
  );
}

function columnsOf(
  view: string,
  marks: Readonly<Record<string, Mark>>,
  mark: (row: SheetRow, change: Partial<Mark>) => void,
): Column<SheetRow>[] {
  const content: Column<SheetRow> = {
    head: "Content",
    class: "c-name",
    cell: ({ cells: [kind, id = "", title = ""] }) => (
      <ContentCell content={{ kind: kind === "collection" ? "collection" : "space", id, title }} />
    ),
  };
  const member: Column<SheetRow> = {
    head: "Member",
    class: view === "space" ? "c-name" : "c-member",
    cell: ({ cells: [, , , , id = "", displayName = "", email = "", , guest] }) => (
      <PersonCell
        user={{ id, displayName, ...(email !== "" && { email }), ...(guest === "yes" && { guest: true }) }}
      />
    ),
  };
  return [
    ...(view === "space" ? [] : [content]),
    ...(view === "member" ? [] : [member]),
    { head: "Role", class: "c-role", cell: ({ cells }) => <RoleCell role={cells[9]} /> },
    {
      head: "Why",
      class: "c-why",
      // The role is left out, because it has its own column.
      cell: ({ cells: [kind, id = "", , , user = "", , , , , , why = ""] }) => (
        <Link to={{ ...of(kind === "collection" ? "collection" : "space", id), why: user }}>
          {capital(why.replace(/^\w+, because /u, ""))}
        </Link>
      ),
    },
    {
      head: "Decision",
      class: "c-decision",
      cell: (row) => (
        <select
          aria-label={`Decision on ${about(row)}`}
          value={marks[row.key]?.decision ?? ""}
          onChange={({ currentTarget }) => mark(row, { decision: currentTarget.value })}
        >
          <option value="" />
          {DECISIONS.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      ),
    },
    {
      head: "Comment",
      class: "c-comment",
      cell: (row) => (
        <input
          aria-label={`Comment on ${about(row)}`}
          value={marks[row.key]?.comment ?? ""}
          onChange={({ currentTarget }) => mark(row, { comment: currentTarget.value })}
        />
      ),
    },
  ];
}

function about({ cells }: SheetRow): string {
  return `${cells[5] || cells[4]}, ${cells[9]} on ${cells[2]}`;
}

/** Removes marks without a decision and a comment. */
function decided(marks: Readonly<Record<string, Mark>>): Record<string, Mark> {
  return Object.fromEntries(
    Object.entries(marks).filter(([, { decision, comment }]) => decision !== "" || comment !== ""),
  );
}
