import { join } from 'node:path';
import { testWithPackages } from '../../install-apart.ts';

/** The runtimes besides the pinned Node.js, with the words that run a program. */
const runtimes = [
  { name: 'node', words: [] },
  { name: 'bun', words: ['run'] },
  { name: 'deno', words: ['run', '--allow-net'] },
] as const;

/** A runtime, as installed. */
export interface InstalledRuntime {
  readonly name: (typeof runtimes)[number]['name'];
  readonly command: string;
  /** The words before the program's path. */
  readonly words: readonly string[];
}

/** Registers a test that needs the runtimes. Where npm cannot install them, it is skipped with the reason. */
export function testOnRuntimes(
  name: string,
  run: (installed: readonly InstalledRuntime[]) => Promise<void>,
): void {
  testWithPackages(name, { cacheName: 'runtimes', folder: import.meta.dirname }, (installed) =>
    run(runtimes.map((one) => ({ ...one, command: join(installed, 'node_modules/.bin', one.name) }))),
  );
}
