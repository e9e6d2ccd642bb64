import { onTestFinished, vi } from "vitest";

/**
 * Stops the clock of this process until the test ends, so that nothing expires and no minute ends while it runs. Returns
 * what lets milliseconds pass on the clock; timers run as ever.
 */
export function stopClock(now = Date.now()): (milliseconds: number) => void {
  vi.useFakeTimers({ toFake: ["Date"], now });
  onTestFinished(() => void vi.useRealTimers());
  return (milliseconds) => void vi.setSystemTime(Date.now() + milliseconds);
}
