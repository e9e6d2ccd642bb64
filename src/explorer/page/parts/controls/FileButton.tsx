import { useRef } from "preact/hooks";
import { Button } from "./Button.tsx";

interface Props {
  label: string;
  /** The accessible name of the hidden file field. */
  field: string;
  open(file: File): void;
}

export function FileButton({ label, field, open }: Props) {
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
