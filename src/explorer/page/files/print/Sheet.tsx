import type { ComponentChildren } from "preact";
import type { Me } from "../../../wire/home/me.ts";
import type { Revision } from "../../../wire/answer.ts";
import type { RowList } from "../../session/ask/rowList.ts";
import { moment } from "../../words/date.ts";
import { nameOf } from "../../words/names.ts";
import { figure } from "../../words/number.ts";

/** The largest number of rows that can be printed. A longer list can be downloaded. */
export const MOST = 5_000;

export interface Printable {
  readonly list: Pick<RowList<unknown>, "read" | "readTo">;
  readonly caption: string;
  readonly heads: readonly ComponentChildren[];
  /** `undefined` until the number of rows is known. */
  readonly total: number | undefined;
  /** Describes the list with `total` rows and its filters, such as "1,275 members, strongest role first". */
  foot(total: number): string;
  /** `undefined` if the row is not loaded yet. */
  cells(at: number): readonly ComponentChildren[] | undefined;
}

interface Props {
  printable: Printable;
  me: Me | undefined;
  shown: Revision | undefined;
  title: string;
}

/** The sheet for print: the subject, the revision and every row of the list. */
export function Sheet({ printable, me, shown, title }: Props) {
  const { list, caption, heads, total, foot, cells } = printable;
  const { known, state } = list.read.value;
  const length = Math.max(known, total ?? 0);
  const long = length > MOST;
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
            ? `This list has ${figure(length)} rows; lists of up to ${figure(MOST)} can be printed. Choose CSV on the page to save it as a file.`
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
                {row?.map((cell, place) => (
                  <td key={place}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
