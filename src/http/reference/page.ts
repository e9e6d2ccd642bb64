import type { OpenapiDocument } from "../openapi/shape.ts";
import { fieldList, headerList, parameterList } from "./fields.ts";
import { html, inline, type Markup, prose } from "../../domain/markup.ts";
import { operationSection } from "./operation.ts";
import { operationsOf, type Resolved } from "./resolve.ts";
import { STYLE_ELEMENT } from "./style.ts";

/** The API reference as one HTML page without script, image or further request. */
export function referencePage(document: OpenapiDocument): string {
  const { info, servers, tags, components } = document;
  const operations = operationsOf(document);
  const shared = sharedParameters(operations);
  const of = (tag: string) => operations.filter(({ operation }) => operation.tags.includes(tag));
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${info.title} API reference</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <a class="skip" href="#content">To the content</a>
        <nav aria-label="Contents">
          <p class="name"><a href="#top">${info.title}</a> <small>${info.version}</small></p>
          ${tags.map(
            ({ name }) => html`<h2><a href="#${name}">${name}</a></h2>
              <ul>
                ${of(name).map(({ operation }) => link(operation.operationId, shortened(operation.summary)))}
              </ul>`,
          )}
          <h2><a href="#listings">For all listings</a></h2>
          <ul>
            ${link("listings", "Parameters")} ${link("headers", "Headers")} ${link("errors", "Errors")}
          </ul>
          <h2><a href="#schemas">Schemas</a></h2>
          <ul>
            ${Object.keys(components.schemas).map((name) => link(`schema-${name}`, name))}
          </ul>
        </nav>
        <main id="content" tabindex="-1">
          <header id="top">
            <h1>${info.title} API</h1>
            <p class="lead">${info.summary}</p>
            ${prose(info.description)}
            <p class="base">
              <span>Server</span> <code>${servers[0]?.url ?? ""}</code> <span>Document</span>
              <a href="openapi.json">openapi.json</a>
            </p>
          </header>
          ${tags.map(
            ({ name, description }) => html`<section>
              <h2 id="${name}">${name}</h2>
              <p class="about">${description}</p>
              ${of(name).map((each) => operationSection(each, shared, servers[0]?.url ?? ""))}
            </section>`,
          )}
          <section class="plain">
            <h2>For all listings</h2>
            <article id="listings">
              <h3>Parameters</h3>
              ${parameterList(Object.values(components.parameters).filter(({ name }) => shared.includes(name)))}
            </article>
            <article id="headers">
              <h3>Headers</h3>
              ${headerList(Object.entries(components.headers))}
            </article>
            <article id="errors">
              <h3>Errors</h3>
              ${errorList(document, operations)}
            </article>
          </section>
          <section class="plain">
            <h2 id="schemas">Schemas</h2>
            ${Object.entries(components.schemas).map(
              ([name, schema]) => html`<article id="schema-${name}">
                <h3>${name}</h3>
                <p>${inline(schema.description ?? "")}</p>
                ${
                  schema.enum === undefined
                    ? fieldList(schema)
                    : html`<p>${schema.enum.map((each) => html`<code>${each}</code> `)}</p>`
                }
              </article>`,
            )}
          </section>
        </main>
      </body>
    </html>`;
  return page.text;
}

function link(id: string, label: string): Markup {
  return html`<li><a href="#${id}">${label}</a></li>`;
}

function shortened(summary: string): string {
  const short = summary.replace(/^List the /, "");
  return short.slice(0, 1).toUpperCase() + short.slice(1);
}

function sharedParameters(listings: readonly Resolved[]): string[] {
  const names = listings.map(({ parameters }) => parameters.map(({ name }) => name));
  return (names[0] ?? []).filter((name) => names.every((each) => each.includes(name)));
}

/** Every refusal once, although several listings may send it. */
function errorList({ components }: OpenapiDocument, listings: readonly Resolved[]): Markup {
  const refusals = new Map(
    listings.flatMap(({ responses }) => responses).filter(([status]) => status >= "400"),
  );
  return html`<dl class="codes">
      ${[...refusals].map(
        ([status, { description, content }]) => html`<div>
          <dt><code>${status}</code></dt>
          <dd>${inline(description)} <q>${messageOf(content?.["application/json"]?.example)}</q></dd>
        </div>`,
      )}
    </dl>
    <p>
      The body of each is an <a href="#schema-Error">${"Error" in components.schemas ? "Error" : ""}</a>.
    </p>`;
}

function messageOf(example: unknown): string {
  if (typeof example !== "object" || example === null || !("error" in example)) return "";
  const { error } = example;
  return typeof error === "object" && error !== null && "message" in error ? String(error.message) : "";
}
