/** Runs `rolebook` with arguments, and returns its standard output. */
type Run = (...args: string[]) => Promise<string>;

/** Every command of the program with its help, as the program declares it; a command of a group has two words. */
export async function everyCommand(run: Run): Promise<ReadonlyMap<string, string>> {
  const groups = namesIn(await run("--help")).map(async (name): Promise<[string, string][]> => {
    const help = await run(name, "--help");
    const inner = namesIn(help);
    if (inner.length === 0) return [[name, help]];
    return Promise.all(
      inner.map(async (each): Promise<[string, string]> => [
        `${name} ${each}`,
        await run(name, each, "--help"),
      ]),
    );
  });
  return new Map((await Promise.all(groups)).flat());
}

/** The commands in a help text: the names under all of its headings but those of options and settings. */
function namesIn(help: string): string[] {
  return help
    .split(/\n(?=\S.*:\n)/)
    .filter((section) => !/^(?:Usage|Options|Settings)/.test(section))
    .flatMap((section) => [...section.matchAll(/^ {2}(\w[\w-]*)/gm)])
    .map(([, name = ""]) => name)
    .filter((name) => name !== "help");
}
