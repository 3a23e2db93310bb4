import type { ChildProcess } from 'node:child_process';
import { untilStopped } from '../../server/test/until-stopped.ts';
import { startCommand } from './run-command.ts';

const preload = new URL('./stop-in-draft.ts', import.meta.url).href;

/** Starts a command that fills a folder, and resolves once it has stopped with its draft locked. */
export async function startAndStopInDraft(words: readonly string[]): Promise<ChildProcess> {
  const child = startCommand(words, { env: { NODE_OPTIONS: `--import ${preload}` } });
  await untilStopped(child);
  return child;
}
