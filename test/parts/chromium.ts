import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const cache = join(import.meta.dirname, "node_modules", ".cache");
const home = join(cache, "chromium");

/** Where a browser is and what must be in its environment. */
export interface Chromium {
  readonly path: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Only the packaged fonts, so that a picture is the same on every machine: system-ui and sans-serif are Inter,
 * monospace is Noto Sans Mono, emoji are Noto's. The machine's own fonts are not looked at.
 */
function fontsConfiguration(): string {
  const packages = ["inter", "noto-sans-mono", "noto-color-emoji"];
  const aliases = [
    ["sans-serif", "Inter"],
    ["system-ui", "Inter"],
    ["monospace", "Noto Sans Mono"],
    ["emoji", "Noto Color Emoji"],
  ];
  return [
    `<?xml version="1.0"?>`,
    `<!DOCTYPE fontconfig SYSTEM "fonts.dtd">`,
    `<fontconfig>`,
    ...packages.map((name) => `  <dir prefix="relative">../../@expo-google-fonts/${name}</dir>`),
    ...aliases.map(
      ([generic, family]) =>
        `  <alias binding="strong"><family>${generic}</family><prefer><family>${family}</family></prefer></alias>`,
    ),
    `</fontconfig>`,
    ``,
  ].join("\n");
}

/** Lets the package decompress itself into `folder`, with the libraries that Amazon's images (and slim ones) lack. */
function decompress(folder: string): Promise<void> {
  const script = `import chromium from "@sparticuz/chromium"; await chromium.executablePath();`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: import.meta.dirname,
    // The package writes to the temp folder, and adds NSS and expat when it believes to be in a Lambda.
    env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs22.x" },
    stdio: ["ignore", "ignore", 2],
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (status) =>
      status === 0 ? resolve() : reject(new Error(`Decompressing Chromium failed with status ${status}.`)),
    );
  });
}

async function unpack(): Promise<void> {
  await mkdir(cache, { recursive: true });
  const staging = await mkdtemp(join(cache, "unpacking-"));
  try {
    await decompress(staging);
    await writeFile(join(staging, "fonts.conf"), fontsConfiguration());
    // What root unpacked, an ordinary user may start.
    await chmod(join(staging, "chromium"), 0o755);
    await chmod(staging, 0o755);
    // Whole or not at all: of several test processes that get here at once, the first to finish wins.
    await rename(staging, home).catch((error: unknown) => {
      if (!existsSync(join(home, "chromium"))) throw error;
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/**
 * The browser for tests: the packaged headless Chromium, decompressed once (200 MB, three seconds), or the one that
 * `ROLEBOOK_TEST_CHROMIUM` names. Throws one sentence where neither exists: the package is for Linux on x64.
 */
export async function findChromium(): Promise<Chromium> {
  const own = process.env["ROLEBOOK_TEST_CHROMIUM"];
  if (own !== undefined && own !== "") return { path: own, environment: {} };
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error(
      `There is no packaged Chromium for ${process.platform} on ${process.arch}: set ROLEBOOK_TEST_CHROMIUM to one.`,
    );
  }
  const path = join(home, "chromium");
  if (!existsSync(path)) await unpack();
  return {
    path,
    environment: {
      LD_LIBRARY_PATH: join(home, "al2023", "lib"),
      FONTCONFIG_FILE: join(home, "fonts.conf"),
    },
  };
}
