/**
 * Prints the whole list, not only its drawn rows: reads it to its end, lays it out, and opens the browser's dialog.
 */
import { render } from "preact";
import { useEffect } from "preact/hooks";
import type { Me } from "../../wire/answers.ts";
import type { DatedRevision } from "../../wire/protocol.ts";
import { Icon } from "../parts/Icon.tsx";
import { Button } from "../parts/controls.tsx";
import { type Printable, type Session, SessionContext, useSession } from "../session/session.ts";
import { moment } from "../words/dates.ts";
import { nameOf } from "../words/names.ts";
import { figure } from "../words/numbers.ts";

type InputField = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/**
 * Renders the shown list for print. Must be synchronous: the browser prints the document as it is after `beforeprint`.
 */
function showPrintedList(session: Session): void {
  const { printable } = session;
  if (!printable) return;
  const { me, shown } = session.client;
  const title = document.querySelector("main h1")?.textContent ?? "";
  const sheet = paper();
  render(
    <SessionContext.Provider value={session}>
      <PrintedList printable={printable} me={me.value} shown={shown.value} title={title} />
    </SessionContext.Provider>,
    sheet,
  );
  // A field shows as much of its value as fits, in a box.
  for (const field of sheet.querySelectorAll<InputField>("input, select, textarea"))
    field.replaceWith(field.value);
  for (const choice of sheet.querySelectorAll<HTMLElement>(".choice"))
    choice.replaceWith(choice.dataset["decision"] ?? "");
}

function removePrintedList(): void {
  document.querySelector(".paper")?.remove();
}

function paper(): Element {
  removePrintedList();
  const sheet = document.createElement("div");
  sheet.className = "paper";
  document.body.append(sheet);
  return sheet;
}

/** Loads the whole list, if it is short enough to be printed, and opens the browser's print dialog. */
async function print(session: Session): Promise<void> {
  const { printable, announcement } = session;
  if (printable && (printable.total ?? 0) <= MOST_ROWS) {
    announcement.set("Reading the list to print it.");
    await readAll(printable.list);
  }
  // The reader may have opened another list meanwhile; then nothing is printed.
  if (session.printable?.list.read === printable?.list.read) window.print();
}

/** Resolves when the list is loaded to its end, is too long to be printed, or cannot be loaded. */
function readAll({ read, readTo }: NonNullable<Session["printable"]>["list"]): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      const { state, known } = read.value;
      return state === "whole" || state === "failed" || known > MOST_ROWS;
    };
    const stop = read.subscribe(() => {
      if (!done()) return;
      stop();
      resolve();
    });
    readTo(MOST_ROWS);
    if (!done()) return;
    stop();
    resolve();
  });
}

/** Makes the browser's print command and its shortcut print the whole list, as the Print button does. */
export function usePrinting(session: Session): void {
  useEffect(() => {
    const before = () => showPrintedList(session);
    function key(event: KeyboardEvent): void {
      const plain = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (!plain || event.key.toLowerCase() !== "p" || !session.printable) return;
      event.preventDefault();
      void print(session);
    }
    addEventListener("beforeprint", before);
    addEventListener("afterprint", removePrintedList);
    addEventListener("keydown", key);
    return () => {
      removeEventListener("beforeprint", before);
      removeEventListener("afterprint", removePrintedList);
      removeEventListener("keydown", key);
      removePrintedList();
    };
  }, [session]);
}

export function PrintButton() {
  const session = useSession();
  return (
    <Button class="btn" onClick={() => void print(session)}>
      <Icon name="print" />
      Print
    </Button>
  );
}

/** The largest number of rows that can be printed. A longer list can be downloaded. */
const MOST_ROWS = 5_000;

interface PrintedListProps {
  printable: Printable;
  me: Me | undefined;
  shown: DatedRevision | undefined;
  title: string;
}

/** The sheet for print: the subject, the revision and every row of the list. */
function PrintedList({ printable, me, shown, title }: PrintedListProps) {
  const { list, caption, heads, total, foot, cells } = printable;
  const { known, state } = list.read.value;
  const length = Math.max(known, total ?? 0);
  const long = length > MOST_ROWS;
  const rows = Array.from({ length: long ? 0 : known }, (_, at) => cells(at));
  return (
    <>
      <header>
        <p>
          {[
            nameOf(me?.organization),
            shown && `revision ${shown.revision}, imported ${moment(shown.importedAt)}`,
          ]
            .filter(Boolean)
            .join(", ")}
        </p>
        <h1>{title}</h1>
        <p>{caption}</p>
        <p>
          {long
            ? `This list has ${figure(length)} rows; lists of up to ${figure(MOST_ROWS)} can be printed. Choose CSV on the page to save it as a file.`
            : state === "whole"
              ? foot(known)
              : `Only the first ${foot(known)}: the rest was not read. Choose Print on the page to print all of it.`}
        </p>
      </header>
      {!long && (
        <table>
          <thead>
            <tr>
              {heads.map((head, at) => (
                <th key={at}>{head}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={at}>
                {row?.map((cell, column) => (
                  <td key={column}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
