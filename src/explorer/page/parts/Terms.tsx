import type { ComponentChildren } from "preact";

type Term = readonly [term: string, value: ComponentChildren];

/** A description list with the CSS class `class`. */
export function Terms({ of, class: look }: { of: readonly Term[]; class: string }) {
  return (
    <dl class={look}>
      {of.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
