import { beginOf } from "../../words/day.ts";
import { date } from "../../words/date.ts";

interface Props {
  label: string;
  /** The earliest and latest accepted day and the chosen day, as "2026-03-01". */
  min: string;
  max: string;
  value: string;
  onChoose(day: string): void;
}

/** A date field that shows its day as "2 Sep 2026". While it has the focus, it shows the browser's own date field. */
export function DayField({ label, min, max, value, onChoose }: Props) {
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
