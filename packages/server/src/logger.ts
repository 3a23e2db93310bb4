/** The numbers that readers of logs know from pino and bunyan. */
const severities = { info: 30, warn: 40, error: 50, silent: Number.POSITIVE_INFINITY } as const;

/** The least severe level that is written. */
export type LogLevel = keyof typeof severities;

/**
 * Writes the lines of the log. Fields are plain values, and callers pass no secret: there are no serializers and no
 * redaction.
 */
export class Logger {
  readonly #level: LogLevel;
  readonly #write: (line: string) => void;
  readonly #bound: string;

  /**
   * @param write takes a line with its line feed
   * @param bound members of every line, as {@link with} has serialized them
   */
  constructor(level: LogLevel, write: (line: string) => void, bound = '') {
    this.#level = level;
    this.#write = write;
    this.#bound = bound;
  }

  /** A logger whose lines have these fields too, `msg` perhaps among them. They are serialized once and not for each line. */
  with(fields: object): Logger {
    return new Logger(this.#level, this.#write, this.#bound + membersOf(fields));
  }

  /** @param message left out where `msg` is among the bound fields */
  info(fields: object, message?: string): void {
    this.#log('info', fields, message);
  }

  warn(fields: object, message: string): void {
    this.#log('warn', fields, message);
  }

  error(fields: object, message: string): void {
    this.#log('error', fields, message);
  }

  #log(level: LogLevel, fields: object, message: string | undefined): void {
    if (severities[level] >= severities[this.#level])
      this.#write(logLine(level, fields, message, this.#bound));
  }
}

/**
 * A line of the log, with its line feed: a JSON object of `level`, `time` (Unix milliseconds), the fields, and `msg`.
 *
 * @param bound members that were serialized before, each after a comma
 */
export function logLine(level: LogLevel, fields: object, message: string | undefined, bound = ''): string {
  const start = `{"level":${severities[level]},"time":${Date.now()}${bound}${membersOf(fields)}`;
  return message === undefined ? `${start}}\n` : `${start},"msg":${JSON.stringify(message)}}\n`;
}

/** The members of an object as JSON, each after a comma. */
function membersOf(fields: object): string {
  const json = JSON.stringify(fields);
  return json === '{}' ? '' : `,${json.slice(1, -1)}`;
}
