import {
  describeProblem,
  type Problem,
  type ProblemKey,
  problemInEnglish,
} from '@fieldroster/contract/problems';
import { readAnswer } from './read-answer.ts';
import type { Translation } from './texts.ts';
import { answers } from './zh/answers.ts';

/** The problems of signed calls. The server keeps only the English sentences of such answers. */
export const problemsOfCalls = [
  'storeCodeTooLong',
  'required',
  'otherSpelling',
  'emptyValue',
  'halfCharacter',
  'nul',
  'tooLong',
  'tooShort',
  'tooMany',
  'integerOutOfRange',
  'notInteger',
  'notOneOf',
  'notPositive',
  'beginsWith',
  'endsWith',
  'contains',
  'invisible',
  'joinedStoreCode',
  'twoPasswords',
  'slowBody',
  'brokenBody',
  'noRole',
  'noOrg',
  'noStores',
  'usernameTaken',
  'storeTaken',
  'roleTaken',
  'orgTaken',
  'orgInItself',
  'tooManyLevels',
  'manyGuesses',
] as const satisfies readonly ProblemKey[];

/** Names in braces in place of the values, so that the English sentence of a problem becomes its pattern. */
const names = {
  field: '{field}',
  value: '{value}',
  min: '{min}',
  max: '{max}',
  count: '{count}',
  character: '{character}',
  words: ['{words}'],
  codes: ['{codes}'],
  more: 0,
  id: '{id}',
  parent: '{parent}',
  username: '{username}',
  code: '{code}',
  bytesPerSecond: '{bytesPerSecond}',
  seconds: '{seconds}',
  text: '{text}',
};

/**
 * Says in the reader's language what an answer to a signed call says, with its values; `undefined` in English, and for
 * an answer that has no text here.
 */
export function sayAnswer({ language, texts }: Translation, message: string): string | undefined {
  if (language === 'en') return undefined;
  for (const { pattern, say } of answers) {
    const values = readAnswer(pattern, message);
    if (values !== undefined) return say(values);
  }
  const problem = problemOf(message);
  return problem && describeProblem(texts.problems, problem);
}

function problemOf(message: string): Problem | undefined {
  for (const key of problemsOfCalls) {
    const values = readAnswer(problemInEnglish({ key, values: names } as unknown as Problem), message);
    if (values === undefined || !isValue(values.value)) continue;
    return { key, values: withLists(values) } as unknown as Problem;
  }
  return undefined;
}

const valueOfProblem = /^(?:-?\d[\d.eE+-]*…?|".*")$/s;

/** Other answers to signed calls say in the same place what kind of value was sent, in English words. */
function isValue(value: string | undefined): boolean {
  return value === undefined || valueOfProblem.test(value);
}

/** Numbers stay as they were written: an identifier of 64 bits would lose digits. */
function withLists({ words, codes, ...values }: Readonly<Record<string, string>>) {
  return {
    ...values,
    ...(words !== undefined && { words: words.split(', ') }),
    ...(codes !== undefined && { codes: codes.split(', '), more: 0 }),
  };
}
