/** The API reference: an OpenAPI document as one HTML page. */
import { type Markup, html, inline, prose } from "../../domain/markup.ts";
import { STYLE_ELEMENT } from "../style.ts";
import type {
  HeaderObject,
  OpenapiDocument,
  OperationObject,
  ParameterObject,
  ResponseObject,
  SchemaObject,
} from "./components.ts";
import type { ExplorerItem } from "./explorer.ts";

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

function sharedParameters(listings: readonly ResolvedOperation[]): string[] {
  const lists = listings.filter(({ parameters }) => parameters.length > 0);
  const names = lists.map(({ parameters }) => parameters.map(({ name }) => name));
  return (names[0] ?? []).filter((name) => names.every((each) => each.includes(name)));
}

/** Every refusal once, although several listings may send it. */
function errorList({ components }: OpenapiDocument, listings: readonly ResolvedOperation[]): Markup {
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

function operationSection(resolved: ResolvedOperation, shared: readonly string[], server: string): Markup {
  const { operation, parameters, responses } = resolved;
  const own = parameters.filter(({ name }) => !shared.includes(name));
  const common = parameters.length === 0 ? [] : shared;
  const [, answer] = responses[0] ?? [];
  const [type, media] = Object.entries(answer?.content ?? {})[0] ?? [];
  return html`<article id="${operation.operationId}">
    <div class="says">
      <h3>${operation.summary}</h3>
      <p class="route"><b>GET</b> <code>${route(resolved.path)}</code></p>
      ${prose(operation.description)}
      ${media?.schema.$ref === undefined ? undefined : html`<p>The answer is a ${reference(media.schema.$ref)}.</p>`}
      ${
        own.length === 0
          ? undefined
          : html`<h4>Parameters</h4>
              ${parameterList(own)}`
      }
      <p class="also">
        Also
        ${joined(
          [
            ...common.map((name) => html`<a href="#listings"><code>${name}</code></a>`),
            html`the answers that <a href="#errors">every listing</a> may give`,
          ],
          "and",
        )}.
      </p>
    </div>
    <div class="shows">
      ${pre("Request", html`${breakable(command(resolved, server))}`)}
      ${
        media?.example === undefined
          ? pre("Answer", html`${type ?? ""}`)
          : pre("Answer", html`${json(JSON.stringify(media.example, null, 2))}`)
      }
    </div>
  </article>`;
}

/** Joins parts by commas, and the last one by a word. */
function joined(parts: readonly Markup[], last: "and" | "or"): Markup {
  const before = (index: number) => (index === 0 ? "" : index === parts.length - 1 ? ` ${last} ` : ", ");
  return html`${parts.map((part, index) => html`${before(index)}${part}`)}`;
}

function route(path: string): Markup[] {
  return path
    .split(/(\{\w+\})/)
    .map((part) => (part.startsWith("{") ? html`<i>${part}</i>` : html`${breakable(part)}`));
}

function pre(label: "Request" | "Answer", content: Markup): Markup {
  return html`<figure>
    <figcaption>${label}</figcaption>
    <pre${label === "Request" ? html` class="wrapped"` : undefined} tabindex="0" role="region" aria-label="${label}"><code>${content}</code></pre>
  </figure>`;
}

/** Lets a text wrap after each slash. */
function breakable(text: string): Markup[] {
  return text.split("/").map((word, index) => html`${index === 0 ? "" : html`/<wbr />`}${word}`);
}

function json(text: string): Markup[] {
  return text
    .split(/("(?:[^"\\]|\\.)*"(?=:))/)
    .map((part, index) => (index % 2 === 1 ? html`<b>${part}</b>` : html`${part}`));
}

function command(resolved: ResolvedOperation, server: string): string {
  const query = resolved.parameters.filter(
    ({ in: where, example }) => where === "query" && example !== undefined,
  );
  const path = resolved.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    valueOf(resolved.parameters, name),
  );
  const search = query.map(({ name, example }) => `${name}=${example}`).join("&");
  const url = `${server}${path}${search === "" ? "" : `?${search}`}`;
  return `curl -H "Authorization: Bearer $TOKEN" \\\n"${url}"`;
}

function valueOf(parameters: readonly ParameterObject[], name: string): string {
  return encodeURIComponent(String(parameters.find((each) => each.name === name)?.example ?? ""));
}

/** The fields of an object, each followed by the fields of its value as `outer.inner`. */
function fieldList(schema: SchemaObject): Markup {
  return html`<dl>${rows(schema, "")}</dl>`;
}

function rows({ properties = {}, required = [] }: SchemaObject, prefix: string): Markup[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const optional = required.includes(name) ? undefined : "optional";
    return [
      row(prefix + name, field, field.description ?? "", optional),
      ...rows(field, `${prefix}${name}.`),
    ];
  });
}

function parameterList(parameters: readonly ParameterObject[]): Markup {
  return html`<dl>
    ${parameters.map((each) => row(each.name, each.schema, each.description, each.in === "query" ? undefined : each.in))}
  </dl>`;
}

function headerList(headers: readonly (readonly [name: string, header: HeaderObject])[]): Markup {
  return html`<dl>
    ${headers.map(([name, { schema, description }]) => row(name, schema, description, undefined))}
  </dl>`;
}

function row(name: string, schema: SchemaObject, description: string, note: string | undefined): Markup {
  return html`<div>
    <dt>
      <code>${name}</code>${note === undefined ? undefined : html` <small>${note}</small>`}
      <span>${typeOf(schema)}</span>
    </dt>
    <dd>${inline(description)}</dd>
  </div>`;
}

const FORMATS: Readonly<Record<string, string>> = { "date-time": "date", uri: "URL" };

function typeOf(schema: SchemaObject): Markup {
  if (schema.$ref !== undefined) return reference(schema.$ref);
  if (schema.anyOf !== undefined) return joined(schema.anyOf.map(typeOf), "or");
  if (schema.const !== undefined) return html`<code>${String(schema.const)}</code>`;
  if (schema.enum !== undefined) {
    const values = schema.enum.map((each) => html`<code>${each}</code>`);
    return html`${joined(values, "or")}${fallback(schema)}`;
  }
  if (schema.items !== undefined) return html`list of ${typeOf(schema.items)}`;
  if (schema.type === "integer") return html`whole number${range(schema)}${fallback(schema)}`;
  if (schema.type === "boolean") return html`<code>true</code> or <code>false</code>`;
  if (schema.type === "null") return html`<code>null</code>`;
  return html`${FORMATS[schema.format ?? ""] ?? schema.type ?? "any value"}${longest(schema)}`;
}

function range({ minimum, maximum }: SchemaObject): string {
  if (minimum === undefined) return "";
  return maximum === undefined ? `, ${minimum} or more` : `, ${minimum} to ${maximum}`;
}

function longest({ maxLength }: SchemaObject): string {
  return maxLength === undefined ? "" : `, up to ${maxLength} characters`;
}

function fallback({ default: value }: SchemaObject): Markup | undefined {
  return value === undefined ? undefined : html`; default <code>${String(value)}</code>`;
}

function reference($ref: string): Markup {
  const name = $ref.slice($ref.lastIndexOf("/") + 1);
  return html`<a href="#schema-${name}">${name}</a>`;
}

/** An operation with its references resolved. */
export interface ResolvedOperation {
  readonly path: string;
  readonly operation: OperationObject;
  readonly parameters: readonly ParameterObject[];
  readonly responses: readonly (readonly [status: string, response: ResponseObject])[];
}

/** Throws an Error if a reference has no target. */
export function operationsOf({ paths, components }: OpenapiDocument<ExplorerItem>): ResolvedOperation[] {
  return Object.entries(paths).map(([path, item]) => {
    const operation = "get" in item ? item.get : item.post;
    return {
      path,
      operation,
      parameters: operation.parameters.map((each) =>
        "$ref" in each ? target(components.parameters, each.$ref) : each,
      ),
      responses: Object.entries(operation.responses).map(([status, each]) => [
        status,
        "$ref" in each ? target(components.responses, each.$ref) : each,
      ]),
    };
  });
}

/** The component that a reference names. Throws an Error if there is none. */
function target<Component>(components: Readonly<Record<string, Component>>, $ref: string): Component {
  const found = components[$ref.slice($ref.lastIndexOf("/") + 1)];
  if (found === undefined) throw new Error(`The OpenAPI document refers to ${$ref}, which it does not have.`);
  return found;
}
