import type { ButtonHTMLAttributes } from "preact";

/** A button; one within a text looks like a link. */
export function Button({ class: look = "link", ...rest }: ButtonHTMLAttributes) {
  return <button type="button" class={look} {...rest} />;
}
