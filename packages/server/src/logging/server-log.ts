import { write } from 'node:fs';
import { type LineFormat, openLogOutput } from './log-output.ts';
import { Logger, type LogLevel, logLine } from './logger.ts';
import { readableLogLine } from './readable-log-line.ts';

export interface LogSettings {
  readonly logLevel: LogLevel;
  readonly logFormat: 'auto' | 'json' | 'pretty';
}

/** The log of a process that serves, or that supervises those that do. */
export interface ServerLog {
  readonly logger: Logger;
  /** Writes a line at level info at once, whatever the least level is. */
  announce(fields: object, message: string): void;
  /** Resolves once everything is written, or the wait for a reader is over. */
  end(): Promise<void>;
}

/**
 * Opens the log on standard output.
 *
 * @param besideOthers whether other processes write to the same output
 */
export function openServerLog(
  { logLevel, logFormat }: LogSettings,
  environment: NodeJS.ProcessEnv,
  besideOthers: boolean,
): ServerLog {
  const { stdout, stderr } = process;
  const formatOfErrors = lineFormat(logFormat, stderr, environment) ?? ((line) => line);
  const tellElsewhere = (message: string) => {
    const line = formatOfErrors(logLine('error', { pid: process.pid }, message));
    // Ignores an error: there is no third output to report it on.
    write(stderr.fd, line, () => {});
  };
  const output = openLogOutput(besideOthers, lineFormat(logFormat, stdout, environment), tellElsewhere);
  return {
    logger: new Logger(logLevel, (line) => output.write(line)),
    announce(fields, message) {
      output.write(logLine('info', fields, message));
      output.flush();
    },
    end: () => output.end(),
  };
}

/**
 * Returns whether lines on this stream are JSON, for programs. Each stream decides for itself: the log may go to a file
 * while a person reads the errors.
 */
export function writesJson(format: LogSettings['logFormat'], stream: { readonly isTTY?: boolean }): boolean {
  return format === 'json' || (format === 'auto' && stream.isTTY !== true);
}

/** Returns the format of log lines, or `undefined` for JSON, which is what the logger makes. */
function lineFormat(
  format: LogSettings['logFormat'],
  stream: NodeJS.WriteStream,
  environment: NodeJS.ProcessEnv,
): LineFormat | undefined {
  if (writesJson(format, stream)) return undefined;
  const colour = stream.isTTY && stream.hasColors(environment);
  return (line) => readableLogLine(line, colour);
}
