import { limits } from '@fieldroster/contract';
import type { Problem } from '@fieldroster/contract/problems';
import { ApiError } from '../errors/api-error.ts';
import { quoteVisibly } from './quote-visibly.ts';

/** Codes that an error names. Each failed entry of a batch has its own error. */
const codesNamedMax = { alone: 100, ofEntry: 10 };

const codeCharactersShown = 100;

/** Returns the code in quotes, truncated if it is too long to be a store's. */
export function describeStoreCode(code: string): string {
  return quoteVisibly(code.length > codeCharactersShown ? `${code.slice(0, codeCharactersShown)}…` : code);
}

/** Names the codes without a store; of very many, the first ones. */
export function storesNotFound(
  codes: readonly string[],
  { of = 'alone' }: { readonly of?: keyof typeof codesNamedMax } = {},
): Problem {
  const named = codes.slice(0, codesNamedMax[of]).map(describeStoreCode);
  return { key: 'noStores', values: { codes: named, more: codes.length - named.length } };
}

/** Returns the error for more stores than a list of them may have. `name` is, for example, `user 7`. */
export function tooManyStores(name: string, stores: number): ApiError {
  const max = limits.storeCodesMax;
  return new ApiError(
    1001,
    `a user may have at most ${max} stores, and ${name} would have ${stores}: unbind some first`,
  );
}
