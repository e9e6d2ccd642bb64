import type { ParameterObject } from "../openapi/shape.ts";
import { parameterList, reference } from "./fields.ts";
import { html, type Markup, prose } from "../../domain/markup.ts";
import type { Resolved } from "./resolve.ts";

export function operationSection(resolved: Resolved, shared: readonly string[], server: string): Markup {
  const { operation, parameters, responses } = resolved;
  const own = parameters.filter(({ name }) => !shared.includes(name));
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
        Also ${listed(shared.map((name) => html`<a href="#listings"><code>${name}</code></a>`))}, and the
        answers that <a href="#errors">every listing</a> may give.
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

function listed(parts: readonly Markup[]): Markup {
  return html`${parts.map((part, index) => html`${index === 0 ? "" : index === parts.length - 1 ? " and " : ", "}${part}`)}`;
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

function command(resolved: Resolved, server: string): string {
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
