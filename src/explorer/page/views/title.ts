import { useEffect } from "preact/hooks";
import type { Subject } from "../../wire/subjects.ts";
import type { Address } from "../session/address/address.ts";
import { nameOf } from "../words/names.ts";

/** Sets the title of the document, such as "API reference – who has access – Rolebook". */
export function useTitle(subject: Subject | undefined, { view }: Address): void {
  const about = view === "member" ? "what they can reach" : view === "team" ? "team" : "who has access";
  useDocumentTitle(subject && `${nameOf(subject)} – ${about}`);
}

/** Sets the title of the document, with " – Rolebook" appended. */
export function useDocumentTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title === undefined ? "Rolebook" : `${title} – Rolebook`;
  }, [title]);
}
