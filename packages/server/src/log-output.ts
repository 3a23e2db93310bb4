import { once } from 'node:events';
import pino from 'pino';

/** Where the lines of the log go. */
export interface LogOutput {
  write(line: string): void;
  /** Resolves once everything is written. */
  end(): Promise<void>;
}

/** What is written at once, in bytes: the larger, the less it costs each request. */
const sizes = { minLength: 32 * 1024, maxWrite: 64 * 1024 };

/** A pipe takes this much in one piece, so that the lines of several processes do not mix; a longer line may. */
const sizesBesideOthers = { minLength: 2048, maxWrite: 4096 };

const flushIntervalMs = 200;

/**
 * The log on standard output. The lines of one turn of the event loop are handed on together: each handing on
 * costs as much as the making of a line.
 *
 * @param besideOthers whether other processes write to the same output
 */
export function openLogOutput(besideOthers: boolean): LogOutput {
  const { minLength, maxWrite } = besideOthers ? sizesBesideOthers : sizes;
  const options = { dest: 1, sync: false, minLength, maxWrite, periodicFlush: flushIntervalMs };
  const destination = pino.destination(options);
  let lines = '';
  let bytes = 0;
  const handOn = () => {
    if (lines === '') return;
    destination.write(lines);
    lines = '';
    bytes = 0;
  };
  // Before the destination's own listener, which writes what it was given.
  process.prependListener('exit', handOn);
  return {
    write(line) {
      const lineBytes = Buffer.byteLength(line);
      // The destination cuts nothing: what it is given at once, it writes at once.
      if (bytes + lineBytes > maxWrite) handOn();
      if (lines === '') setImmediate(handOn);
      lines += line;
      bytes += lineBytes;
      if (bytes >= minLength) handOn();
    },
    async end() {
      handOn();
      process.removeListener('exit', handOn);
      destination.end();
      await once(destination, 'close');
    },
  };
}
