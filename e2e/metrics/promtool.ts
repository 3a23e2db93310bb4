import { spawnSync } from 'node:child_process';

/** Returns whether Debian's package `prometheus`, with `promtool` in it, is installed. */
export function prometheusIsInstalled(): boolean {
  return ['prometheus', 'promtool'].every((program) => spawnSync(program, ['--version']).error === undefined);
}

/** Returns the message of a test that cannot run without it. */
export function notTestedWithoutPrometheus(what: string): string {
  return `NOT TESTED: ${what}, because prometheus is not installed; on Debian: apt-get install prometheus`;
}

export interface PromtoolResult {
  readonly exitCode: number | null;
  readonly output: string;
}

export function runPromtool(commandArguments: readonly string[], input = ''): PromtoolResult {
  const { status, stdout, stderr } = spawnSync('promtool', commandArguments, { input, encoding: 'utf8' });
  return { exitCode: status, output: stdout + stderr };
}
