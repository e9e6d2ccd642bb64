/** HTML in which every inserted text is escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type MarkupValue = string | number | Markup | readonly MarkupValue[] | undefined;

/** HTML with inserted values: texts are escaped, lists joined, `undefined` omitted. */
export function html(parts: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  let text = parts[0] ?? "";
  for (const [index, value] of values.entries()) text += textOf(value) + (parts[index + 1] ?? "");
  return new Markup(text);
}

function textOf(value: MarkupValue): string {
  if (value === undefined) return "";
  if (value instanceof Markup) return value.text;
  if (typeof value === "object") return value.map(textOf).join("");
  return escape(String(value));
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

function escape(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** The paragraphs of a text with code between backticks. */
export function prose(text: string): Markup[] {
  return text.split("\n\n").map((paragraph) => html`<p>${inline(paragraph)}</p>`);
}

/** A text with code between backticks. */
export function inline(text: string): Markup[] {
  return text.split("`").map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`));
}
