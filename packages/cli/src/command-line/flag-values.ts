import { isCalendarDay } from '@fieldroster/contract/calendar-day';
import { consoleLimits } from '@fieldroster/contract/console-limits';
import { readDurationMs } from '@fieldroster/contract/duration';
import { InvalidArgumentError } from 'commander';
import { looksLikeTime, suggestTime } from './suggest-time.ts';

const repeatables = new WeakSet<object>();

/** Marks a parser that adds a flag's value to those before, so that the flag may be given several times. */
export function repeatable<Parser extends object>(parse: Parser): Parser {
  repeatables.add(parse);
  return parse;
}

/** Returns whether a flag with this parser may be given several times. */
export function isRepeatable(parse: object | undefined): boolean {
  return parse !== undefined && repeatables.has(parse);
}

const durationMaxMs = 3650 * 86_400_000;

/** Parses a duration such as `24h` into milliseconds. */
export const parseDuration = durationParser();

/**
 * Returns the parser of a duration.
 *
 * @param word what the flag accepts as well, named in the message
 */
export function durationParser(word?: string): (text: string) => number {
  const accepted = `${word ? `${word}, ` : ''}0 or a number with a unit up to 3650d: 30s, 15m, 24h, 7d`;
  return (text) => {
    const milliseconds = readDurationMs(text);
    if (milliseconds === undefined || milliseconds > durationMaxMs)
      throw new InvalidArgumentError(`It must be ${accepted}${looksLikeTime(text) ? notDate : ''}.`);
    return milliseconds;
  };
}

const notDate = '; it is a length of time, not a date';

const { applicationNameCharactersMax } = consoleLimits;

/** Parses the name of an application. The name must fit on one line of a list. */
export function parseName(text: string): string {
  const isTooLong = [...text].length > applicationNameCharactersMax;
  if (isTooLong || !/^(?!\s)\P{Cc}+(?<!\s)$/u.test(text)) {
    throw new InvalidArgumentError(
      `It must have 1 to ${applicationNameCharactersMax} characters, no control character and no white space at its ends.`,
    );
  }
  return text;
}

/** Turns a rule that describes what is wrong with a string into a flag parser. */
export function accept(problemOf: (text: string) => string | undefined): (text: string) => string {
  return (text) => {
    const problem = problemOf(text);
    if (problem !== undefined) throw new InvalidArgumentError(`Note: ${problem}.`);
    return text;
  };
}

/** Returns a parser of a whole number from `min` to `max`. */
export function countBetween(min: number, max: number, word?: string): (text: string) => number {
  return (text) => {
    const count = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(count >= min && count <= max)) {
      throw new InvalidArgumentError(
        `It must be ${word ? `${word} or ` : ''}a whole number from ${min} to ${max}.`,
      );
    }
    return count;
  };
}

/**
 * Returns a parser that refuses an empty value, which a script gives for a variable that is not set.
 *
 * @param advice what to do, after a semicolon
 */
export function nonEmpty(advice: string): (text: string) => string {
  return (text) => {
    if (text.trim() === '') throw new InvalidArgumentError(`It must not be empty; ${advice}.`);
    return text;
  };
}

/**
 * Returns a parser of the name of a file to write. It refuses `-`, which means standard output in other programs.
 *
 * @param advice what to do about an empty value, after a semicolon
 */
export function fileToWrite(advice: string): (text: string) => string {
  const parse = nonEmpty(advice);
  return (text) => {
    if (text === '-')
      throw new InvalidArgumentError('Standard output is not accepted; name a file, or ./- for one named -.');
    return parse(text);
  };
}

const [idMin, idMax] = [-(2n ** 63n), 2n ** 63n - 1n];

/** Parses an id as an exact integer that a database can hold. */
export function parseId(text: string): bigint {
  const id = /^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined;
  if (id === undefined || id < idMin || id > idMax) {
    throw new InvalidArgumentError(`It must be a whole number, such as 7, from ${idMin} to ${idMax}.`);
  }
  return id;
}

/** Parses a date or a time of ISO 8601 into Unix milliseconds. */
export function parseTime(text: string): number {
  // A time without a zone would be another moment on each machine.
  const [, date] =
    /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/.exec(text) ?? [];
  const ms = date !== undefined && isCalendarDay(date) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) {
    const meant = suggestTime(text);
    const advice = meant === undefined ? '' : `; write ${meant}`;
    throw new InvalidArgumentError(
      `It must be a day, which begins at midnight UTC, or a time with its zone: 2026-01-31, 2026-01-31T12:00:00Z, 2026-01-31T14:00+02:00${advice}.`,
    );
  }
  return ms;
}

/** Parses a separator: `tab`, or the text itself. */
export function parseSeparator(text: string): string {
  if (text === '' || /["\r\n]/.test(text)) {
    throw new InvalidArgumentError('It must be text without quotes or line breaks, or the word tab.');
  }
  return text === 'tab' ? '\t' : text;
}

/** Returns the Encoding Standard's name of an encoding. */
export function parseEncoding(text: string): string {
  try {
    return new TextDecoder(text).encoding;
  } catch {
    throw new InvalidArgumentError('It must be the name of an encoding: utf-8, windows-1252, gb18030, …');
  }
}
