import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "./controls/Dialog.tsx";
import { Button } from "./controls/Button.tsx";

interface Props {
  readonly title: ComponentChildren;
  readonly children: ComponentChildren;
}

/**
 * A text that is cut after as many lines as fit. If it is cut, a button opens the whole text in a dialog with `title`.
 */
export function Cut({ title, children }: Props) {
  const text = useRef<HTMLSpanElement>(null);
  const [isCut, setCut] = useState(false);
  const [open, setOpen] = useState(false);
  useLayoutEffect(() => {
    const { current } = text;
    if (!current) return;
    // Links are some px higher than the text around them, so a small difference is no cut line.
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
        <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
          More<span class="vh"> about {title}</span>
        </Button>
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
  return (
    <Dialog box={dialog} title={title} onClose={onClose}>
      <p class="say">{children}</p>
    </Dialog>
  );
}
