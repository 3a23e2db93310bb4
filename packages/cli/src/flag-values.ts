import { InvalidArgumentError } from 'commander';

const unitsMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const durationMaxMs = 3650 * 86_400_000;

/** Reads a duration such as `24h`; returns milliseconds. */
export function parseDuration(text: string): number {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const milliseconds = text === '0' ? 0 : Number(count) * (unitsMs[unit ?? ''] ?? Number.NaN);
  if (!(milliseconds <= durationMaxMs)) {
    throw new InvalidArgumentError('It must be 0 or a number with a unit up to 3650d: 30s, 15m, 24h, 7d.');
  }
  return milliseconds;
}

const nameCharactersMax = 255;

/** A name that a list can show on one line. */
export function parseName(text: string): string {
  if (!/^(?!\s)[^\p{Cc}]{1,255}(?<!\s)$/u.test(text)) {
    throw new InvalidArgumentError(
      `It must have 1 to ${nameCharactersMax} characters, no control character and no white space at its ends.`,
    );
  }
  return text;
}

/** Turns a rule that says what is wrong with a text into a parser of a flag. */
export function accept(problemOf: (text: string) => string | undefined): (text: string) => string {
  return (text) => {
    const problem = problemOf(text);
    if (problem !== undefined) throw new InvalidArgumentError(`Note: ${problem}.`);
    return text;
  };
}
