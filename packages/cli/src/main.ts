import { endOnSignal } from './process/end-on-signal.ts';
import { endWithWrapper } from './process/end-with-wrapper.ts';
import { keepCompiled } from './process/keep-compiled.ts';
import { buildProgram } from './program.ts';
import { runProgram } from './run-program.ts';
import { deferReloads } from './serve/defer-reloads.ts';
import { keepNextTickFast } from './serve/keep-next-tick-fast.ts';
import { restartWithServerFlags } from './serve/restart-with-server-flags.ts';

endWithWrapper();
if (process.pid === 1) endOnSignal();
keepCompiled(process.env);
const commandLine = process.argv.slice(2);
// Must run before everything else is loaded, which would otherwise be loaded twice.
if (commandLine[0] !== 'serve' || !startServing()) {
  const exitCode = await runProgram(buildProgram(commandLine), commandLine);
  if (exitCode !== 0) process.exitCode = exitCode;
}

/** Returns whether another process serves. */
function startServing(): boolean {
  deferReloads();
  if (restartWithServerFlags(process.env)) return true;
  keepNextTickFast();
  return false;
}
