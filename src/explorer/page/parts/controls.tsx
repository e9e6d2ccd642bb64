/** Buttons, fields and dialogs. */
import type { ButtonHTMLAttributes, ComponentChildren, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useSession } from "../session/session.ts";
import { beginOf, date } from "../words/dates.ts";
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
  onClose(): void;
  readonly children: ComponentChildren;
}

/** A modal dialog. Escape and a click outside close it. */
export function Dialog({ box, title, label, onClose, children }: DialogProps) {
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
  /** The words of each button. The first one has the focus, so it must lose nothing; Escape presses the last one. */
  readonly answers: readonly (readonly [words: string, act: () => void])[];
}

/** A question with its answers as buttons. Afterwards, the focus returns to where it was. */
export function Question({ label, children, answers }: QuestionProps) {
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

interface DayFieldProps {
  label: string;
  /** The earliest and latest accepted day and the chosen day, as "2026-03-01". */
  min: string;
  max: string;
  value: string;
  onChoose(day: string): void;
}

/** A date field that shows its day as "2 Sep 2026". While it has the focus, it shows the browser's own date field. */
export function DayField({ label, min, max, value, onChoose }: DayFieldProps) {
  const begin = beginOf(value);
  return (
    <label class="day">
      <span aria-hidden="true">{begin === value ? value : date(begin)}</span>
      <input
        type="date"
        aria-label={label}
        min={min}
        max={max}
        value={value}
        onChange={({ currentTarget }) => {
          const { value: day } = currentTarget;
          if (day !== "" && currentTarget.checkValidity()) onChoose(day);
        }}
      />
    </label>
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
