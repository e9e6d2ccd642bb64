import { execFileSync } from "node:child_process";

/**
 * The seed of random tests, from the last commit that touched the program or its tests. Runs of one commit try the same
 * random organizations; other commits try others. Without a repository the seed is 1.
 */
export function seedOfCommit(): number {
  try {
    const hash = execFileSync("git", ["log", "-1", "--format=%H", "--", "src", "test"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return Number.parseInt(hash.slice(0, 7), 16) || 1;
  } catch {
    return 1;
  }
}
