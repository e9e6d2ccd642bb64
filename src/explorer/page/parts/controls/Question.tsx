import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "./Button.tsx";

interface Props {
  readonly label: string;
  readonly children: ComponentChildren;
  /** The words of each button. The first one has the focus, so it must lose nothing; Escape presses the last one. */
  readonly answers: readonly (readonly [words: string, act: () => void])[];
}

/** A question with its answers as buttons. Afterwards, the focus returns to where it was. */
export function Question({ label, children, answers }: Props) {
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { activeElement } = document;
    box.current?.querySelector("button")?.focus();
    return () => activeElement instanceof HTMLElement && activeElement.focus();
  }, []);
  return (
    <section
      ref={box}
      class="notice"
      role="alertdialog"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        answers.at(-1)?.[1]();
      }}
    >
      <p>
        {children}
        {answers.map(([words, act]) => (
          <>
            {" "}
            <Button onClick={act}>{words}</Button>
          </>
        ))}
      </p>
    </section>
  );
}
