import type { ComponentChildren } from "preact";

type Term = readonly [term: string, value: ComponentChildren];

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
