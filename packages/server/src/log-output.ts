import { once } from 'node:events';
import pino from 'pino';

/** Where the lines of the log go. */
export interface LogOutput {
  write(line: string): void;
  /** Resolves once everything is written. */
  end(): Promise<void>;
}

/** What is written at once, in characters, which take no counting: the larger, the less it costs each request. */
const sizes = { gathered: 128 * 1024, maxWrite: 256 * 1024, sizeOf: (line: string) => line.length };

/** In bytes: a pipe takes this much in one piece, so that the lines of several processes do not mix; a longer line may. */
const sizesBesideOthers = { gathered: 2048, maxWrite: 4096, sizeOf: Buffer.byteLength };

const flushIntervalMs = 200;

/**
 * The log on standard output. Lines are gathered before they are handed on: handing one on costs several times
 * what its making does. None waits longer than the interval.
 *
 * @param besideOthers whether other processes write to the same output
 */
export function openLogOutput(besideOthers: boolean): LogOutput {
  const { gathered, maxWrite, sizeOf } = besideOthers ? sizesBesideOthers : sizes;
  const destination = pino.destination({ dest: 1, sync: false, maxWrite });
  let lines = '';
  let size = 0;
  const handOn = () => {
    if (lines === '') return;
    destination.write(lines);
    lines = '';
    size = 0;
  };
  const flush = setInterval(handOn, flushIntervalMs).unref();
  // Before the destination's own listener, which writes what it was given.
  process.prependListener('exit', handOn);
  return {
    write(line) {
      const lineSize = sizeOf(line);
      // The destination cuts nothing: what it is given at once, it writes at once.
      if (size + lineSize > maxWrite) handOn();
      lines += line;
      size += lineSize;
      if (size >= gathered) handOn();
    },
    async end() {
      clearInterval(flush);
      handOn();
      process.removeListener('exit', handOn);
      destination.end();
      await once(destination, 'close');
    },
  };
}

/**
 * A way past the logger for lines of the level `info` that are put together elsewhere; they look like its own.
 * Making one takes the logger a twentieth of a request's time.
 *
 * @returns takes the fields of a line, as JSON without the braces
 */
export function infoWriter(logger: pino.Logger): (fields: string) => void {
  if (!logger.isLevelEnabled('info')) return () => {};
  const { [pino.symbols.streamSym]: output } = logger as LoggerInside;
  const { info } = pino.levels.values;
  return (fields) => output.write(`{"level":${info},"time":${Date.now()},${fields}}\n`);
}

interface LoggerInside extends pino.Logger {
  readonly [pino.symbols.streamSym]: pino.DestinationStream;
}
