import type { HeaderObject, ParameterObject, SchemaObject } from "../openapi/shape.ts";
import { html, inline, type Markup } from "../../domain/markup.ts";

/** The fields of an object, each followed by the fields of its value as `outer.inner`. */
export function fieldList(schema: SchemaObject): Markup {
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

export function parameterList(parameters: readonly ParameterObject[]): Markup {
  return html`<dl>
    ${parameters.map((each) => row(each.name, each.schema, each.description, each.in === "query" ? undefined : each.in))}
  </dl>`;
}

export function headerList(headers: readonly (readonly [name: string, header: HeaderObject])[]): Markup {
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
  if (schema.anyOf !== undefined) return alternatives(schema.anyOf.map(typeOf));
  if (schema.const !== undefined) return html`<code>${schema.const}</code>`;
  if (schema.enum !== undefined) {
    return html`${alternatives(schema.enum.map((each) => html`<code>${each}</code>`))}${fallback(schema)}`;
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
  return value === undefined ? undefined : html`; default <code>${value}</code>`;
}

function alternatives(parts: readonly Markup[]): Markup {
  return html`${parts.map((part, index) => html`${index === 0 ? "" : index === parts.length - 1 ? " or " : ", "}${part}`)}`;
}

export function reference($ref: string): Markup {
  const name = $ref.slice($ref.lastIndexOf("/") + 1);
  return html`<a href="#schema-${name}">${name}</a>`;
}
