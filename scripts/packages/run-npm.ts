import { spawnSync } from 'node:child_process';

/**
 * Runs npm, and returns what it printed.
 *
 * @throws {Error} with npm's own words when it fails
 */
export function runNpm(cwd: string, ...args: readonly string[]): string {
  // Started by npm, this is the npm that did so; on Windows the command itself is a file that only a shell can run.
  const script = process.env.npm_execpath;
  const [command, first] = script === undefined ? ['npm', []] : [process.execPath, [script]];
  const { status, stdout, stderr, error } = spawnSync(command, [...first, ...args], {
    cwd,
    encoding: 'utf8',
  });
  if (error !== undefined) throw new Error(`npm could not be run: ${error.message}`);
  if (status !== 0) throw new Error(`npm ${args[0]} failed in ${cwd}:\n${stdout}${stderr}`);
  return stdout;
}
