import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useSession } from "../session/session.ts";
import { copy } from "./copy.ts";

interface Props {
  text: () => string;
  class: string;
  label?: string;
  children: ComponentChildren;
}

/** A button that copies text and confirms it for two seconds. */
export function CopyButton({ text, class: style, label, children }: Props) {
  const { said } = useSession();
  const [told, setTold] = useState("");
  useEffect(() => {
    if (told === "") return;
    const timer = setTimeout(() => setTold(""), 2000);
    return () => clearTimeout(timer);
  }, [told]);
  return (
    <button
      type="button"
      class={style}
      aria-label={label}
      onClick={async () => {
        const done = (await copy(text())) ? "Copied" : "Not allowed to copy";
        setTold(done);
        said.set("");
        said.set(`${done}.`);
      }}
    >
      {told === "" ? children : told}
    </button>
  );
}
