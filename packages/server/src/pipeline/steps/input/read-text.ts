import { countCharacters, findUnprintable, hasMoreCharacters } from '@fieldroster/contract/characters';
import { printableMeaning } from '@fieldroster/contract/problems';
import { ApiError } from '../../../errors/api-error.ts';
import type { FieldReader, InputSchema } from './input-schema.ts';
import { invalid, ofOtherType, quoteShortly } from './wrong-value.ts';

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
      const values = { field: name, max: maxLength, count: countCharacters(value) };
      throw new ApiError(1001, { key: 'tooLong', values });
    }
    if (!value.isWellFormed()) throw new ApiError(1001, { key: 'halfCharacter', values: { field: name } });
    if (value.includes('\0')) throw new ApiError(1001, { key: 'nul', values: { field: name } });
    if (expression !== undefined && !expression.test(value))
      throw ofOtherPattern(name, patternMeaning, value);
    return value;
  };
}

function ofOtherPattern(name: string, meaning: string, value: string): ApiError {
  const found = findUnprintable(value);
  if (found === undefined) return invalid(name, meaning);
  const { key, character } = found;
  if (meaning !== printableMeaning) return invalid(name, `${meaning}; it ${places[key]} ${character}`);
  return new ApiError(1001, { key, values: { field: name, character } });
}

const places = { beginsWith: 'begins with', endsWith: 'ends with', contains: 'has' } as const;

function tooShort(name: string, charactersMin: number, value: string): ApiError {
  if (charactersMin === 1) return new ApiError(1001, { key: 'emptyValue', values: { field: name } });
  const values = { field: name, min: charactersMin, count: countCharacters(value) };
  return new ApiError(1001, { key: 'tooShort', values });
}

/** Makes the reader of a string that must be one of some words. */
export function enumReader(words: readonly unknown[]): FieldReader {
  return (value, name) => {
    if (words.includes(value)) return value;
    if (typeof value !== 'string') throw ofOtherType(name, `one of ${words.join(', ')}`, value);
    const values = { field: name, words: words.map(String), value: quoteShortly(value) };
    throw new ApiError(1001, { key: 'notOneOf', values });
  };
}
