/** Drafts in local storage, where earlier versions of the page kept them: one per organization, token and sheet. */
import { type Holder, type KeptMark, writeMarks } from "./marks.ts";
import type { Mark } from "./sheet.ts";

interface LocalDraft {
  /** The SHA-256 of the rows that the reviewer saw. */
  readonly sha256: string;
  readonly marks: Readonly<Record<string, Mark>>;
  readonly saved: boolean;
}

/** Moves the drafts of a reviewer to where they are kept now. Returns the marks that could not be written there. */
export async function moveLocalDrafts(holder: Holder): Promise<KeptMark[]> {
  const marks: KeptMark[] = [];
  try {
    const first = ["rolebook.draft", holder.organization, holder.token, ""].map(encodeURIComponent).join("/");
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(first));
    for (const key of keys) {
      const draft: LocalDraft = JSON.parse(localStorage.getItem(key) ?? "");
      marks.push(...marksOf(draft, holder, decodeURIComponent(key.slice(first.length))));
    }
    if (marks.length > 0) await writeMarks(marks, []);
    for (const key of keys) localStorage.removeItem(key);
    return [];
  } catch {
    return marks;
  }
}

function marksOf({ sha256, marks, saved }: LocalDraft, holder: Holder, covers: string): KeptMark[] {
  const { organization, reviewer } = holder;
  return Object.entries(marks).map(([row, mark]) => ({
    ...mark,
    organization,
    reviewer,
    covers,
    row,
    // The draft does not say which roles the reviewer saw, only which sheet.
    role: "",
    reason: sha256,
    revision: 0,
    at: Date.now(),
    saved: saved ? mark : undefined,
  }));
}
