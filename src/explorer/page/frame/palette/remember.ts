import type { Hit } from "../../../wire/search.ts";
import type { PlaceAnswer } from "../../../wire/tree.ts";

const KEPT = 8;

/** Puts the opened subject first in the list of recent subjects. The list ends with the session. */
export function rememberOpen(recent: Hit[], { subject, ancestors }: PlaceAnswer): void {
  const hit = hitOf(
    subject,
    ancestors.map(({ title }) => title),
  );
  const others = recent.filter(({ kind, id }) => kind !== hit.kind || id !== hit.id);
  recent.splice(0, recent.length, hit, ...others.slice(0, KEPT - 1));
}

function hitOf(subject: PlaceAnswer["subject"], path: readonly string[]): Hit {
  if (subject.kind === "space" || subject.kind === "collection") return { ...subject, path };
  if (subject.kind !== "member") return subject;
  const { role: _, ...person } = subject;
  return person;
}
