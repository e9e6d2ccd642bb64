import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

interface Props {
  /** The title of the dialog with the whole text. */
  readonly title: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A text limited to the available lines, with a link to the whole text if it is cut. */
export function Cut({ title, children }: Props) {
  const text = useRef<HTMLSpanElement>(null);
  const [isCut, setCut] = useState(false);
  const [open, setOpen] = useState(false);
  useLayoutEffect(() => {
    const { current } = text;
    if (!current) return;
    // A difference below one line comes from links, which are higher than their text.
    const measure = () => setCut(current.scrollHeight > current.clientHeight + 8);
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    measure();
    return () => observer.disconnect();
  }, []);
  return (
    <>
      <span class="because" ref={text}>
        {children}
      </span>
      {isCut && (
        <button type="button" class="link" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          More<span class="vh"> about {title}</span>
        </button>
      )}
      {open && (
        <Whole title={title} onClose={() => setOpen(false)}>
          {children}
        </Whole>
      )}
    </>
  );
}

function Whole({ title, children, onClose }: Props & { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="pal asof"
      aria-labelledby="whole"
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && event.currentTarget.close()}
    >
      <header>
        <h2 id="whole">{title}</h2>
        <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <p class="say">{children}</p>
    </dialog>
  );
}
