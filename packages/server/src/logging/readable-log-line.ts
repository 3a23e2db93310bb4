import { styleText } from 'node:util';

type LogLine = Readonly<Record<string, unknown>>;

/** Widths of a call's columns, in characters; a longer value shifts the rest of its own line. */
const widths = { appId: 20, operation: 24, code: 4, duration: 9 };

/** Severity numbers as in pino. */
const levels = { warn: 40, error: 50 };

/**
 * Formats a line of the JSON log for a terminal. A call shows its time, application, operation, code and duration; any
 * other line shows its time, message and fields. A failure adds its reason, and a fault of the server the request id
 * and the cause.
 *
 * Callers choose some of the logged text, such as an unknown APPID. Control characters are escaped, so that no caller
 * can move the operator's cursor or forge a line.
 *
 * @param line one JSON object; other text is returned with its control characters escaped
 * @param colour whether the terminal shows colours
 * @returns one line, with indented ones after it for a stack; each ends in a line feed
 */
export function readableLogLine(line: string, colour: boolean): string {
  const logged = parse(line);
  if (logged === undefined) return `${visible(line.trimEnd())}\n`;
  const paint = colour ? withColour : withoutColour;
  const isCall = 'duration_ms' in logged && 'code' in logged;
  const words = isCall ? callWords(logged, paint) : noticeWords(logged);
  const first = [paint('dim', clockTime(logged.time)), ...levelWords(logged, paint), ...words].join('  ');
  return `${first}\n${stackLines(logged)}`;
}

type Paint = (format: 'dim' | 'red' | 'yellow', text: string) => string;

const withColour: Paint = (format, text) => styleText(format, text, { validateStream: false });

const withoutColour: Paint = (_, text) => text;

function parse(line: string): LogLine | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as LogLine) : undefined;
  } catch {
    return undefined;
  }
}

/** Formats the time of day in the local time zone. */
function clockTime(time: unknown): string {
  const date = new Date(Number(time));
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
  const digits = parts.map((part) => String(part).padStart(2, '0')).join(':');
  return `${digits}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

function levelWords({ level }: LogLine, paint: Paint): string[] {
  if (Number(level) >= levels.error) return [paint('red', 'ERROR')];
  return Number(level) >= levels.warn ? [paint('yellow', 'WARN')] : [];
}

function callWords({ app_id, operation, code, duration_ms, ...rest }: LogLine, paint: Paint): string[] {
  const codeText = textOf(code).padStart(widths.code);
  return [
    (textOf(app_id) || '-').padEnd(widths.appId),
    (textOf(operation) || '-').padEnd(widths.operation),
    code === 0 ? codeText : paint('yellow', codeText),
    `${Number(duration_ms).toFixed(1)} ms`.padStart(widths.duration),
    ...(rest.reason === undefined ? [] : [textOf(rest.reason)]),
    ...(rest.cause === undefined ? [] : [field('request_id', rest.request_id), causeWord(rest.cause)]),
  ];
}

function noticeWords({ level, time, msg, cause, ...fields }: LogLine): string[] {
  // A field without a value, such as the exit code of a process that a signal ended, says nothing.
  const present = Object.entries(fields).filter(([, value]) => value !== null);
  const words = present.map(([name, value]) => field(name, value));
  return [textOf(msg), ...words, ...(cause === undefined ? [] : [causeWord(cause)])];
}

/** Returns the first line of the cause; `stackLines` has the others. */
function causeWord(cause: unknown): string {
  return visible(String(cause).split('\n', 1)[0] ?? '');
}

function stackLines({ cause }: LogLine): string {
  const [, ...rest] = String(cause ?? '').split('\n');
  return rest.map((line) => `    ${visible(line.trim())}\n`).join('');
}

function field(name: string, value: unknown): string {
  const text = textOf(value);
  return `${name}=${/^[^\s"]+$/.test(text) ? text : JSON.stringify(text)}`;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return visible(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** Escapes control and format characters, line separators and lone surrogates. */
function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) => {
    const hexadecimal = (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
    return `\\u{${hexadecimal}}`;
  });
}
