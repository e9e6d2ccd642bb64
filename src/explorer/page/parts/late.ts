import { useEffect, useState } from "preact/hooks";

/** True once `waiting` has been true for `ms`, so that short waits are not shown. */
export function useLate(waiting: boolean, ms = 150): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!waiting) return setLate(false);
    const timer = setTimeout(() => setLate(true), ms);
    return () => clearTimeout(timer);
  }, [waiting, ms]);
  return waiting && late;
}

/** Seconds from now until `at`, counted down, never below 1. */
export function useSeconds(at: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [at]);
  return Math.max(1, Math.ceil((at - now) / 1000));
}
