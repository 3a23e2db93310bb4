import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/**
 * Gives bash the lines as if they were pasted, and resolves with what it prints. Asynchronous, because the server that the
 * lines call may run in this process.
 */
export async function pasteIntoBash(lines: string, environment: Record<string, string>): Promise<string> {
  const bash = spawn('bash', ['--noprofile', '--norc'], {
    env: { PATH: process.env.PATH, no_proxy: '127.0.0.1', ...environment },
    timeout: 240_000,
  });
  bash.stderr.pipe(process.stderr);
  bash.stdin.end(lines);
  return text(bash.stdout);
}
