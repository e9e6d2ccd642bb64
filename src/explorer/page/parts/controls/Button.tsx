import type { ButtonHTMLAttributes } from "preact";

/** A button; by default it looks like a link, for use within a text. */
export function Button({ class: look = "link", ...rest }: ButtonHTMLAttributes) {
  return <button type="button" class={look} {...rest} />;
}
