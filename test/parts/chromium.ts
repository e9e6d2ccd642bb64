import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const cache = join(import.meta.dirname, "node_modules", ".cache");
const home = join(cache, "chromium");

/** The path of a browser, and its environment. */
export interface Chromium {
  readonly path: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Allows only the packaged fonts, so that pictures are equal on every machine: Inter for system-ui and sans-serif, Noto
 * Sans Mono for monospace, and Noto's emoji.
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

/** Decompresses the package into `folder`, with libraries that Amazon's and slim images lack. */
function decompress(folder: string): Promise<void> {
  const script = `import chromium from "@sparticuz/chromium"; await chromium.executablePath();`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: import.meta.dirname,
    // The package writes to the temporary folder, and adds NSS and expat if it detects AWS Lambda.
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
    // An ordinary user may start what root unpacked.
    await chmod(join(staging, "chromium"), 0o755);
    await chmod(staging, 0o755);
    // Renaming is atomic: of several test processes, the first one to finish wins.
    await rename(staging, home).catch((error: unknown) => {
      if (!existsSync(join(home, "chromium"))) throw error;
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/**
 * The browser for tests: the packaged headless Chromium, decompressed once (200 MB, three seconds), or that of
 * `ROLEBOOK_TEST_CHROMIUM`. Throws one sentence if neither exists: the package is for Linux on x64.
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
