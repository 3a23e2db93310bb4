import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const places = [
  '/usr/lib/*/faketime/libfaketime.so.1',
  '/usr/lib/faketime/libfaketime.so.1',
  '/usr/lib64/faketime/libfaketime.so.1',
];

/** Path of libfaketime, which gives a process another clock; undefined if it is not installed. */
export function findFaketime(): string | undefined {
  return globSync(places)[0];
}

export const faketimeIsMissing = `libfaketime is not installed; on Debian: apt-get install faketime`;

/** A clock for processes that are started with its environment. It does not affect timers. */
export class FakeClock {
  readonly environment: Readonly<Record<string, string>>;
  readonly #file: string;

  /** @param folder for the file from which the processes read the difference */
  constructor(folder: string, library: string) {
    this.#file = join(folder, 'faketime');
    this.environment = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
    this.jumpTo(0);
  }

  /** Sets how far the clock is ahead of the machine's, in seconds; negative if behind. */
  jumpTo(aheadSeconds: number): void {
    writeFileSync(this.#file, `${aheadSeconds < 0 ? '' : '+'}${aheadSeconds}\n`);
  }
}
