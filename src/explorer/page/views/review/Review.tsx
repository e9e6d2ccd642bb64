/** The review of a content, a site or a member: the sheet of `rolebook report` with a decision and a comment per row. */
import { useContext, useEffect, useMemo } from "preact/hooks";
import { isRole } from "../../../../domain/role.ts";
import { commandLine } from "../../../../domain/text.ts";
import { List, type ListProps } from "../../list/List.tsx";
import { type RoleCounts, SheetRolesContext } from "../../list/RoleCounts.tsx";
import { Button, Command, FileButton, Question } from "../../parts/controls.tsx";
import { ExpandableList } from "../../parts/text.tsx";
import { Refusal } from "../../session/client.ts";
import { rowsInMemory } from "../../session/rows.ts";
import { useSession } from "../../session/session.ts";
import { moment } from "../../words/dates.ts";
import { filterPhrase } from "../../words/filters.ts";
import { capital } from "../../words/names.ts";
import { count, figure } from "../../words/numbers.ts";
import { columnsOf } from "./columns.tsx";
import type { Holder } from "./marks.ts";
import { type Sheet, reviewOf } from "./sheet.ts";
import { isKnown } from "./sheetMarks.ts";
import { type OpenReview, type ReviewActions, useReview } from "./useReview.ts";

/** A review changes nothing in the organization. */
export function Review(props: ListProps) {
  const { address } = props;
  const { view, role } = address;
  const actions = useReview(props);
  const { sheet, marks } = actions.review ?? {};

  // A row to be decided again stays apart when it is decided, or it would move from under the reviewer's hands.
  const apart = useMemo(() => new Set<string>(), [sheet]);
  for (const { key } of marks?.again ?? []) apart.add(key);
  const list = useMemo(() => {
    const rows = sheet?.rows.filter((row) => role === undefined || row.role === role) ?? [];
    return rowsInMemory(rows.toSorted((a, b) => Number(apart.has(b.key)) - Number(apart.has(a.key))));
  }, [sheet, apart.size, role]);
  const tellRoles = useContext(SheetRolesContext);
  useEffect(() => {
    tellRoles(sheet && countRoles(sheet));
    return () => tellRoles(undefined);
  }, [sheet]);

  return (
    <>
      <ReviewHead {...actions} address={address} />
      {sheet && marks && (
        <List
          list={list}
          address={address}
          caption={`Review of ${sheet.covers}`}
          columns={columnsOf(view, marks.on, actions.mark)}
          rowId={(row) => row.key}
          step={(row) => String(apart.has(row.key))}
          foot={(total) => `${count(total, "row")}${filterPhrase(address)}, by content, then by member id`}
          empty="Nobody has a role here: there is nothing to decide."
          emptyRole={`No row of this sheet has ${role}.`}
        />
      )}
    </>
  );
}

/** What can be done with the sheet, how far it is decided, and what happened to it. */
function ReviewHead(props: ReviewActions & Pick<ListProps, "address">) {
  const { review, failure, status, asked, address } = props;
  const { text = "", undo } = review?.draft.replaced ?? {};
  return (
    <div class="marks">
      <p class="tools">
        <Button class="btn" disabled={!review} onClick={() => void props.save()}>
          Save sheet
        </Button>
        <FileButton label="Open a sheet" field="A sheet to open" open={(file) => void props.open(file)} />
        {review && !review.draft.isEmpty && (
          <Button class="btn" onClick={props.discard}>
            Discard decisions
          </Button>
        )}
      </p>
      {asked && (
        <Question
          label={asked.label}
          answers={[
            [asked.no, props.dismiss],
            [asked.yes, asked.act],
          ]}
        >
          {asked.text}
        </Question>
      )}
      <p>
        <b>Marks only: nothing is changed.</b>{" "}
        {review ? progressOf(review) : failure === undefined && "Reading the sheet."}
      </p>
      {review && <MarksOfGoneRows {...review} />}
      {review && !review.draft.isKept && (
        <p role="alert">
          This browser does not keep the draft: save the sheet to a file before you leave the page.
        </p>
      )}
      <p role="status">
        {[status, text].filter(Boolean).join(" ")} {undo && <Button onClick={undo}>Undo</Button>}
      </p>
      {failure !== undefined && (
        <p role="alert">
          {failure instanceof Refusal ? failure.message : "The sheet could not be read."}{" "}
          <Button onClick={props.retry}>Try again</Button>
        </p>
      )}
      {failure instanceof Refusal && (
        <Command
          text={`${commandLine("rolebook", "report", `--${address.view === "member" ? "user" : address.view}=${address.id}`)} > review.csv`}
        />
      )}
    </div>
  );
}

function progressOf({ sheet, marks: { decided, unsaved, again, newer } }: OpenReview): string {
  const of = `${capital(sheet.covers)}; revision ${sheet.revision}, imported ${moment(sheet.imported)}.`;
  return [
    `${of} ${figure(decided)} of ${count(sheet.rows.length, "row")} decided${unsaved > 0 ? ", not saved to a file yet" : ""}.`,
    again.length > 0 &&
      `${count(again.length, "row")} changed after the decision: decide again. ${again.length === 1 ? "It comes" : "They come"} first.`,
    newer > 0 &&
      `${count(newer, "row")} ${newer === 1 ? "has" : "have"} a mark on a newer revision, which stays as it is.`,
  ]
    .filter(Boolean)
    .join(" ");
}

function countRoles({ rows }: Sheet): RoleCounts {
  const counts = { read: 0, comment: 0, edit: 0, review: 0, create: 0, admin: 0 };
  for (const { role } of rows) if (isRole(role)) counts[role]++;
  return counts;
}

/** Lists the marks on rows that the sheet no longer has, by id: drafts hold no names. */
function MarksOfGoneRows({ marks: { gone }, draft, sheet }: OpenReview) {
  if (gone.length === 0) return null;
  function discard(): void {
    const rows = new Set(gone.map(({ row }) => row));
    const marked = count(gone.length, "marked row");
    draft.replace((mark) => rows.has(mark.row) && isKnown(mark, sheet), [], `Discarded: ${marked}.`);
  }
  return (
    <details>
      <summary>
        {count(gone.length, "marked row")} {gone.length === 1 ? "is" : "are"} no longer in the sheet, and will
        not be in the file
      </summary>
      <ExpandableList
        items={gone}
        first={10}
        noun="more row"
        item={({ row, role, decision, comment }) => (
          <li key={row}>
            <bdi>{row}</bdi>
            {role && `, then ${role}`}: {[decision, comment && `“${comment}”`].filter(Boolean).join(", ")}
          </li>
        )}
      />
      <Button onClick={discard}>Discard these</Button>
    </details>
  );
}

interface UnsavedDecisionsProps {
  holder: Holder;
  /** For each sheet, the number of rows with an unsaved mark. */
  unsaved: ReadonlyMap<string, number>;
  onLeave(): void;
  onStay(): void;
}

/** Asks before signing out, which discards marks that no file says. */
export function UnsavedDecisions({ holder, unsaved, onLeave, onStay }: UnsavedDecisionsProps) {
  const { navigation, drafts } = useSession();
  const marks = [...unsaved.values()].reduce((sum, each) => sum + each, 0);
  const [review] = [...unsaved.keys()].flatMap((covers) => reviewOf(covers) ?? []);
  function save(): void {
    if (review) navigation.choose(review);
    onStay();
  }
  return (
    <Question
      label="Unsaved decisions"
      answers={[
        ["Go and save the sheet", save],
        ["Discard and sign out", () => void drafts.discard(holder).then(onLeave)],
        ["Stay signed in", onStay],
      ]}
    >
      {count(marks, "decision")} of a review {marks === 1 ? "is" : "are"} not saved to a file yet.
    </Question>
  );
}
