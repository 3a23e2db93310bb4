/** Severity numbers as in pino and bunyan. */
const severities = { info: 30, warn: 40, error: 50, fatal: 60, silent: Number.POSITIVE_INFINITY } as const;

/** Severity of a line; `fatal` marks the last line of a process that cannot go on. */
export type LineLevel = Exclude<keyof typeof severities, 'silent'>;

/** The least severe level that is written. */
export type LogLevel = Exclude<keyof typeof severities, 'fatal'>;

/**
 * Writes the lines of the log. Fields are plain values without secrets, so there are no serializers and no redaction.
 */
export class Logger {
  readonly #level: LogLevel;
  readonly #write: (line: string) => void;
  readonly #bound: string;

  /**
   * @param write takes a line with its line feed
   * @param bound members of every line, as serialized by {@link with}
   */
  constructor(level: LogLevel, write: (line: string) => void, bound = '') {
    this.#level = level;
    this.#write = write;
    this.#bound = bound;
  }

  /** Returns a logger that adds these fields, perhaps including `msg`, to every line. They are serialized only once. */
  with(fields: object): Logger {
    return new Logger(this.#level, this.#write, this.#bound + escapeInvisible(membersOf(fields)));
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

  #log(level: LineLevel, fields: object, message: string | undefined): void {
    if (severities[level] >= severities[this.#level])
      this.#write(logLine(level, fields, message, this.#bound));
  }
}

/**
 * Returns a line of the log with its line feed: a JSON object of `level`, `time` (Unix milliseconds), the fields, and
 * `msg`.
 *
 * @param bound members that are already serialized, each after a comma
 */
export function logLine(level: LineLevel, fields: object, message: string | undefined, bound = ''): string {
  const start = `{"level":${severities[level]},"time":${Date.now()}${bound}`;
  // Most lines are about answered calls. Their message is in `bound`, and their other fields are visible ASCII.
  if (message === undefined) return `${start}${membersOf(fields)}}\n`;
  return `${start}${escapeInvisible(`${membersOf(fields)},"msg":${JSON.stringify(message)}`)}}\n`;
}

/**
 * Escapes, in JSON, the characters that JSON leaves as they are and that steer a terminal or hide text. Callers choose
 * some of the logged text, such as an unknown APPID.
 */
function escapeInvisible(json: string): string {
  return json.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Returns the stack of an error, and the message of what caused it. */
export function describeCause(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const inner = cause.cause instanceof Error ? `; caused by ${cause.cause.message}` : '';
  return `${cause.stack ?? cause.message}${inner}`;
}

/** Returns the members of an object as JSON, each after a comma. */
function membersOf(fields: object): string {
  const json = JSON.stringify(fields);
  return json === '{}' ? '' : `,${json.slice(1, -1)}`;
}
