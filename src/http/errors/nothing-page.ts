import type { IncomingHttpHeaders } from "node:http";
import { html } from "../../domain/markup.ts";
import { STYLE_ELEMENT } from "../reference/style.ts";

/** What a browser shows for a path that does not exist. `path` is used only to link to the start page. */
export function nothingPage(path: string): string {
  // Relative, so that it holds behind any prefix of a proxy.
  const [, depth = ""] = /^\/([^?]*)/.exec(path) ?? [];
  const start = `./${depth.replaceAll(/[^/]/g, "").replaceAll("/", "../")}`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Rolebook: nothing here</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <nav>
          <p class="name"><a href="${start}">Rolebook</a></p>
        </nav>
        <main>
          <header>
            <h1>There is nothing at this address</h1>
            <p>
              Go to the <a href="${start}">start page</a>, or see the
              <a href="${start}docs">API reference</a>.
            </p>
          </header>
        </main>
      </body>
    </html>`;
  return page.text;
}

/** Whether a client names `text/html`, as browsers do for an address that a person opens, and not JSON before it. */
export function wantsPage({ accept = "" }: IncomingHttpHeaders): boolean {
  return weightOf(accept, "text/html") > weightOf(accept, "application/json");
}

/** The weight (RFC 9110, section 12.4.2) with which an Accept header names a type; 0 if it does not. */
function weightOf(accept: string, type: string): number {
  for (const range of accept.toLowerCase().split(",")) {
    const [name, ...parameters] = range.split(";").map((part) => part.trim());
    if (name !== type) continue;
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
    return /^[01](\.\d{0,3})?$/.test(weight) ? Number(weight) : 0;
  }
  return 0;
}
