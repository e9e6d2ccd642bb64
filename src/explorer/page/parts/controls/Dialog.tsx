import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { Button } from "./Button.tsx";

interface Props {
  readonly box: RefObject<HTMLDialogElement | null>;
  /** A visible title with a Close button beside it. A dialog without a title needs a `label`. */
  readonly title?: ComponentChildren;
  readonly label?: string;
  onClose(): void;
  readonly children: ComponentChildren;
}

/** A modal dialog. Escape and a click outside close it. */
export function Dialog({ box, title, label, onClose, children }: Props) {
  useLayoutEffect(() => box.current?.showModal(), []);
  return (
    <dialog
      ref={box}
      class={label === undefined ? "pal asof" : "pal"}
      aria-label={label}
      aria-labelledby={label === undefined ? "dialog" : undefined}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && event.currentTarget.close()}
    >
      {label === undefined && (
        <header>
          <h2 id="dialog">{title}</h2>
          <CloseButton box={box} />
        </header>
      )}
      {children}
    </dialog>
  );
}

export function CloseButton({ box }: Pick<Props, "box">) {
  return (
    <Button class="quiet" onClick={() => box.current?.close()}>
      Close
    </Button>
  );
}
