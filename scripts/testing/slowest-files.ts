import { relative } from 'node:path';
import type { TestsStream } from 'node:test';

const shownFiles = 10;

/** Records how long each file of a run takes, including files that share a process. */
export class SlowestFiles {
  readonly #tookMs = new Map<string, number>();
  readonly #groupFolder: string;

  /** @param groupFolder contains the modules that run several files, each in a suite named after its file */
  constructor(groupFolder: string) {
    this.#groupFolder = groupFolder;
  }

  /** Records the files of another part of the run. */
  follow(stream: TestsStream): void {
    const groupFolder = this.#groupFolder;
    stream.on('test:summary', ({ file, duration_ms }) => {
      if (file !== undefined && !file.startsWith(groupFolder))
        this.#tookMs.set(relative(process.cwd(), file), duration_ms);
    });
    for (const event of ['test:pass', 'test:fail'] as const) {
      stream.on(event, ({ name, file, nesting, details }) => {
        if (nesting === 0 && file?.startsWith(groupFolder)) this.#tookMs.set(name, details.duration_ms);
      });
    }
  }

  /** Returns the slowest files, one line each. */
  toString(): string {
    const slowest = [...this.#tookMs].sort(([, a], [, b]) => b - a).slice(0, shownFiles);
    const lines = slowest.map(([file, tookMs]) => `${(tookMs / 1000).toFixed(1).padStart(6)} s  ${file}\n`);
    return `the ${lines.length} slowest files:\n${lines.join('')}`;
  }
}
