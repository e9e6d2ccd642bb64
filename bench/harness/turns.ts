/** What work in the process of the benchmark costs: `modelOf`, a walk over two models. Both are in milliseconds. */

/** The CPU of this process, of all its threads. */
export function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The CPU of some work. */
export async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = ownCpu();
  await work();
  return ownCpu() - before;
}

/** The most CPU of some work in one iteration of the event loop: how long nobody else has a turn. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const threadCpu = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  const state = { running: true, before: threadCpu(), longest: 0 };
  const look = () => {
    const now = threadCpu();
    state.longest = Math.max(state.longest, now - state.before);
    state.before = now;
    if (state.running) setImmediate(look);
  };
  setImmediate(look);
  try {
    await work();
  } finally {
    state.running = false;
    look();
  }
  return state.longest;
}
