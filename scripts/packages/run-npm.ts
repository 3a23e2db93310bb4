import { spawnSync } from 'node:child_process';

/**
 * Runs npm and returns its output.
 *
 * @throws {Error} with npm's own message when it fails
 */
export function runNpm(cwd: string, ...args: readonly string[]): string {
  // Uses the npm that started this process, if any. On Windows, the npm command is a file that only a shell can
  // run.
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
