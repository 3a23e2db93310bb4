import type { CommandResult } from '../../../scripts/testing/command-under-test.ts';
import { buildProgram } from '../src/program.ts';
import { runProgram } from '../src/run-program.ts';

/** One command with the arguments, environment and folder of its own process. */
export interface CommandJob {
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
}

// Runs one command after another. Separate processes would spend most of their time loading the same modules.
process.on('message', async (job: CommandJob) => {
  process.send?.(await run(job));
});
process.on('disconnect', () => process.exit());

async function run({ words, environment, cwd }: CommandJob): Promise<CommandResult> {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  process.chdir(cwd);
  process.exitCode = undefined;
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)];
  const exitCode = await runProgram(await buildProgram(words), words);
  return { exitCode: exitCode || Number(process.exitCode ?? 0), stdout: stdout.end(), stderr: stderr.end() };
}

/** Captures what is written to the stream. */
function capture(stream: NodeJS.WriteStream): { end(): string } {
  const listeners = stream.listeners('error');
  const { write } = stream;
  let text = '';
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const done = rest.at(-1);
    if (typeof done === 'function') done();
    return true;
  };
  return {
    end() {
      stream.write = write;
      for (const listener of stream.listeners('error'))
        if (!listeners.includes(listener)) stream.off('error', listener as () => void);
      return text;
    },
  };
}
