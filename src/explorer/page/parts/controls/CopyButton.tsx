import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useSession } from "../../session/session.ts";
import { copy } from "./copy.ts";
import { Button } from "./Button.tsx";

interface Props {
  text: () => string;
  class: string;
  label?: string;
  children: ComponentChildren;
}

/** A button that copies text. For two seconds, it says whether it could. */
export function CopyButton({ text, class: style, label, children }: Props) {
  const { said } = useSession();
  const [status, setStatus] = useState("");
  useEffect(() => {
    if (status === "") return;
    const timer = setTimeout(() => setStatus(""), 2000);
    return () => clearTimeout(timer);
  }, [status]);
  return (
    <Button
      class={style}
      aria-label={label}
      onClick={async () => {
        const done = (await copy(text())) ? "Copied" : "Not allowed to copy";
        setStatus(done);
        said.set("");
        said.set(`${done}.`);
      }}
    >
      {status === "" ? children : status}
    </Button>
  );
}
