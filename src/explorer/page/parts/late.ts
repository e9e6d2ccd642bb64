import { useEffect, useState } from "preact/hooks";

/** True when `waiting` has been true for `ms` milliseconds. Shorter waits are not worth showing. */
export function useLate(waiting: boolean, ms = 150): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!waiting) return setLate(false);
    const timer = setTimeout(() => setLate(true), ms);
    return () => clearTimeout(timer);
  }, [waiting, ms]);
  return waiting && late;
}

/** The seconds until `at` (ms since 1970), updated as they pass; at least 1. */
export function useSeconds(at: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [at]);
  return Math.max(1, Math.ceil((at - now) / 1000));
}
