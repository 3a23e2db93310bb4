import { quoteVisibly } from './quote-visibly.ts';

const codesNamedMax = 100;
const codeCharactersShown = 100;

/** Returns the code in quotes, truncated if it is too long to be a store's. */
export function describeStoreCode(code: string): string {
  return quoteVisibly(code.length > codeCharactersShown ? `${code.slice(0, codeCharactersShown)}…` : code);
}

/** Returns a message that names the codes without a store; of very many, the first hundred. */
export function storesNotFound(codes: readonly string[]): string {
  const named = codes.slice(0, codesNamedMax).map(describeStoreCode).join(', ');
  const rest = codes.length > codesNamedMax ? ` and ${codes.length - codesNamedMax} more` : '';
  return `the store does not exist: ${named}${rest}`;
}
