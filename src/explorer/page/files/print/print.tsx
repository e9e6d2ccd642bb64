import { render } from "preact";
import { SessionContext, type Session } from "../../session/session.ts";
import { MOST, Sheet } from "./Sheet.tsx";

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/**
 * Renders the shown list for print. Must be synchronous: the browser prints the document as it is after `beforeprint`.
 */
export function lay(session: Session): void {
  const { printable } = session;
  if (!printable) return;
  const { me, shown } = session.client;
  const title = document.querySelector("main h1")?.textContent ?? "";
  const sheet = paper();
  render(
    <SessionContext.Provider value={session}>
      <Sheet printable={printable} me={me.value} shown={shown.value} title={title} />
    </SessionContext.Provider>,
    sheet,
  );
  // A field shows as much of its value as fits, in a box.
  for (const field of sheet.querySelectorAll<Field>("input, select, textarea"))
    field.replaceWith(field.value);
}

export function unlay(): void {
  document.querySelector(".paper")?.remove();
}

function paper(): Element {
  unlay();
  const sheet = document.createElement("div");
  sheet.className = "paper";
  document.body.append(sheet);
  return sheet;
}

/** Loads the whole list, if it is short enough to be printed, and opens the browser's print dialog. */
export async function print(session: Session): Promise<void> {
  const { printable, said } = session;
  if (printable && (printable.total ?? 0) <= MOST) {
    said.set("Reading the list to print it.");
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
      return state === "whole" || state === "failed" || known > MOST;
    };
    const stop = read.subscribe(() => {
      if (!done()) return;
      stop();
      resolve();
    });
    readTo(MOST);
    if (!done()) return;
    stop();
    resolve();
  });
}
