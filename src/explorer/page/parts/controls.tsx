/** Buttons, fields and dialogs. */
import type { ButtonHTMLAttributes, ComponentChildren, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useSession } from "../session/session.ts";
import { Icon } from "./Icon.tsx";

/** A button; by default it looks like a link, for use within a text. */
export function Button({ class: look = "link", ...rest }: ButtonHTMLAttributes) {
  return <button type="button" class={look} {...rest} />;
}

interface DialogProps {
  readonly box: RefObject<HTMLDialogElement | null>;
  /** A visible title with a Close button beside it. A dialog without a title needs a `label`. */
  readonly title?: ComponentChildren;
  readonly label?: string;
  /** The id of the text that must be answered: it is read out, and only an answer or Escape closes the dialog. */
  readonly asks?: string;
  onClose(): void;
  readonly children: ComponentChildren;
}

/** A modal dialog. Escape and a click outside close it, and the focus returns to where it was. */
export function Dialog({ box, title, label, asks, onClose, children }: DialogProps) {
  useLayoutEffect(() => box.current?.showModal(), []);
  return (
    <dialog
      ref={box}
      class={label === undefined ? "pal asof" : "pal"}
      role={asks === undefined ? undefined : "alertdialog"}
      aria-describedby={asks}
      aria-label={label}
      aria-labelledby={label === undefined ? "dialog" : undefined}
      onClose={onClose}
      onClick={(event) => !asks && event.target === event.currentTarget && event.currentTarget.close()}
    >
      {label === undefined && (
        <header>
          <h2 id="dialog">{title}</h2>
          {!asks && <CloseButton box={box} />}
        </header>
      )}
      {children}
    </dialog>
  );
}

export function CloseButton({ box }: Pick<DialogProps, "box">) {
  return (
    <Button class="quiet" onClick={() => box.current?.close()}>
      Close
    </Button>
  );
}

interface QuestionProps {
  readonly label: string;
  readonly children: ComponentChildren;
  /** The words of each button. The first one has the focus, and Escape presses it: it must lose nothing. */
  readonly answers: readonly (readonly [words: string, act: () => void])[];
}

/** A question that must be answered first. */
export function Question({ label, children, answers }: QuestionProps) {
  const box = useRef<HTMLDialogElement>(null);
  const answer = useRef(answers[0]?.[1]);
  return (
    <Dialog box={box} title={label} asks="asked" onClose={() => answer.current?.()}>
      <div class="say">
        <div id="asked">{children}</div>
        <p class="bar">
          {answers.map(([words, act]) => (
            <Button
              class="btn"
              onClick={() => {
                answer.current = act;
                box.current?.close();
              }}
            >
              {words}
            </Button>
          ))}
        </p>
      </div>
    </Dialog>
  );
}

interface DayFieldProps {
  label: string;
  /** The earliest and latest accepted day and the chosen day, as "2026-03-01". */
  min: string;
  max: string;
  value: string;
  onChoose(day: string): void;
}

export function DayField({ label, onChoose, ...rest }: DayFieldProps) {
  return (
    <input
      type="date"
      class="chip"
      aria-label={label}
      {...rest}
      onChange={({ currentTarget }) => {
        const { value: day } = currentTarget;
        if (day !== "" && currentTarget.checkValidity()) onChoose(day);
      }}
    />
  );
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  /** The words of each value. */
  readonly of: Readonly<Record<string, string>>;
  choose(value: string): void;
}

/** A menu that looks like the other filters. */
export function Select({ label, value, of, choose }: SelectProps) {
  return (
    <select
      class="chip"
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {Object.entries(of).map(([each, words]) => (
        <option key={each} value={each}>
          {words}
        </option>
      ))}
    </select>
  );
}

interface FileButtonProps {
  label: string;
  /** The accessible name of the hidden file field. */
  field: string;
  open(file: File): void;
}

export function FileButton({ label, field, open }: FileButtonProps) {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button class="btn" onClick={() => chooser.current?.click()}>
        {label}
      </Button>
      <input
        ref={chooser}
        type="file"
        accept=".csv,text/csv"
        hidden
        aria-label={field}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) open(file);
          currentTarget.value = "";
        }}
      />
    </>
  );
}

interface CopyButtonProps {
  text: () => string;
  class: string;
  label?: string;
  children: ComponentChildren;
}

/** A button that copies text. For two seconds, it says whether it could. */
export function CopyButton({ text, class: style, label, children }: CopyButtonProps) {
  const { announcement } = useSession();
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
        announcement.set("");
        announcement.set(`${done}.`);
      }}
    >
      {status === "" ? children : status}
    </Button>
  );
}

/** A button that copies the command which answers the same as the page. */
export function CommandButton({ text }: { text: string }) {
  return (
    <CopyButton class="btn" label={`Copy the command ${text}`} text={() => text}>
      <Icon name="copy" />
      Command
    </CopyButton>
  );
}

export function Command({ text }: { text: string }) {
  return (
    <p class="cli">
      <code>{text}</code>
      <CopyButton class="quiet" label="Copy the command" text={() => text}>
        <Icon name="copy" />
      </CopyButton>
    </p>
  );
}

/** Copies text to the clipboard. Returns false if the browser does not allow that. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** For pages without HTTPS, where `navigator.clipboard` is missing. */
function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  const focused = document.activeElement;
  area.value = text;
  area.className = "vh";
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return done;
}
