import { countCharacters, hasMoreCharacters } from '@fieldroster/contract/characters';
import { ApiError } from '../api-error.ts';
import type { FieldReader, InputSchema } from './input-schema.ts';
import { invalid, invisibleIn, ofOtherType, quoteShortly } from './wrong-value.ts';

/** Makes the reader of a string from its length and pattern. */
export function stringReader({
  minLength = 0,
  maxLength,
  pattern,
  patternMeaning = `like ${pattern}`,
}: InputSchema): FieldReader {
  const expression = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  return (value, name) => {
    if (typeof value !== 'string') throw ofOtherType(name, 'a string', value);
    if (value.length < minLength) throw tooShort(name, minLength, value);
    if (maxLength !== undefined && hasMoreCharacters(value, maxLength)) {
      throw invalid(name, `at most ${maxLength} characters; it has ${countCharacters(value)}`);
    }
    if (!value.isWellFormed()) throw invalid(name, 'valid Unicode; it has half of a surrogate pair');
    if (value.includes('\0')) throw invalid(name, 'free of NUL characters');
    if (expression !== undefined && !expression.test(value))
      throw invalid(name, `${patternMeaning}${invisibleIn(value)}`);
    return value;
  };
}

function tooShort(name: string, charactersMin: number, value: string): ApiError {
  if (charactersMin === 1) return new ApiError(1001, `${name} must not be empty`);
  return invalid(name, `at least ${charactersMin} characters; it has ${countCharacters(value)}`);
}

/** Makes the reader of a string that must be one of some words. */
export function enumReader(words: readonly unknown[]): FieldReader {
  return (value, name) => {
    if (words.includes(value)) return value;
    const rule = `one of ${words.join(', ')}`;
    if (typeof value !== 'string') throw ofOtherType(name, rule, value);
    throw invalid(name, `${rule}; it is ${quoteShortly(value)}`);
  };
}
