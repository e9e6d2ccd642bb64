/** The summary of a review as one HTML page for printing, without further files. */
import { html, type Markup, Markup as Raw } from "../../domain/markup.ts";
import type { Followed } from "../../review/decided/followed.ts";
import type { Figure, Summary } from "./summary.ts";

const STYLE = new Raw(`
  @page { size: A4; margin: 14mm }
  body { font: 9pt/1.35 system-ui, sans-serif; max-width: 182mm; margin: 0 auto; color: #111; background: #fff }
  h1 { font-size: 15pt; margin: 0 0 3mm } h2 { font-size: 10pt; margin: 4mm 0 1mm }
  table { border-collapse: collapse; width: 100% }
  th, td { text-align: left; vertical-align: top; padding: .5mm 2mm .5mm 0; border-bottom: .2mm solid #ccc }
  td.n { text-align: right; font-variant-numeric: tabular-nums; font-weight: 600 }
  code { font: 5.7pt/1.3 ui-monospace, monospace; overflow-wrap: anywhere }
  .figures td:first-child { white-space: nowrap }
  tr.all td { font-weight: 600; border-top: .3mm solid #555 }
  .sign { display: flex; gap: 10mm; margin-top: 11mm } .sign p { flex: 1; border-top: .2mm solid #111; margin: 0 }
`);

export function summaryPage({ facts, figures, open, openRows }: Summary): string {
  const [, , title = ""] = facts.find(([name]) => name === "organization") ?? [];
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Access review of ${title}</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        <h1>Access review of ${title}</h1>
        <table>
          ${facts.map(
            ([name, ...values]) =>
              html`<tr>
                <th>${name}</th>
                <td>${values.join(", ")}</td>
              </tr>`,
          )}
        </table>
        <h2>Outcome</h2>
        <table class="figures">
          <tr>
            <th>rows</th>
            <th></th>
            <th>reproduced by</th>
          </tr>
          ${figures.filter(isTold).map(figureRow)}
        </table>
        ${openRemovals(open, openRows)}
        <div class="sign">
          <p>Name</p>
          <p>Date</p>
          <p>Signature</p>
        </div>
      </body>
    </html> `;
  return page.text;
}

/** Decisions in other words are shown only if there are some. */
function isTold({ words, rows }: Figure): boolean {
  return rows > 0 || !words.includes("other words");
}

function figureRow({ words, rows, command }: Figure): Markup {
  const [whole] = words.split(",");
  return html`<tr class="${whole === words ? "all" : "part"}">
    <td>${words}</td>
    <td class="n">${rows.toLocaleString("en")}</td>
    <td><code>${command}</code></td>
  </tr>`;
}

function openRemovals(rows: readonly Followed[], all: number): Markup | undefined {
  if (rows.length === 0) return undefined;
  const more = all - rows.length;
  return html`<h2>Still to be removed</h2>
    <table>
      ${rows.map(
        ({ content, user, now, reason }) =>
          html`<tr>
            <td>${user}</td>
            <td>${content}</td>
            <td>${now}</td>
            <td>${reason}</td>
          </tr>`,
      )}
      ${
        more > 0
          ? html`<tr>
              <td colspan="4">and ${more.toLocaleString("en")} more</td>
            </tr>`
          : undefined
      }
    </table>`;
}
