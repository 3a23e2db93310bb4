import { refusesUnknownParameters } from '@fieldroster/contract';
import type { QueryParameter } from '@fieldroster/signing';
import { ApiError } from '../../../errors/api-error.ts';
import type { OperationInput } from './operation-input.ts';
import { parsedAtOnceMax, parseSmallBody } from './parse-body.ts';

/**
 * Makes the check that throws 1001 for a request whose values are in a body that the operation does not read, but not in
 * the query. Many HTTP libraries let a GET or a DELETE carry its values there.
 *
 * A filter that is only in the body would otherwise be overlooked, and the list would have everything. The original
 * operations overlook extra values beside their parameters, so they refuse only a request that has no parameter at all.
 */
export function misplacedValueRefuser(
  operation: OperationInput,
): (parameters: readonly QueryParameter[], body: Buffer) => void {
  const names = Object.keys(operation.query?.properties ?? {});
  const required = operation.query?.required ?? [];
  const isStrict = refusesUnknownParameters(operation);
  return (parameters, body) => {
    if (body.length === 0) return;
    const absent = names.filter(
      (name) => !parameters.some((given) => given.name === name && given.value !== ''),
    );
    const missing = required.find((name) => absent.includes(name));
    if (missing !== undefined) throw misplaced(`${missing} is required in the query`);
    if (!isStrict && absent.length < names.length) return;
    const values = valuesIn(body);
    const found = absent.find((name) => Object.hasOwn(values, name) && isSet(values[name]));
    if (found !== undefined) throw misplaced(`${found} is in the body; send it in the query`);
  };
}

function misplaced(what: string): ApiError {
  return new ApiError(1001, `${what}; the body of this operation is not read`);
}

/** Any other body has no values, and is overlooked. */
function valuesIn(body: Buffer): Readonly<Record<string, unknown>> {
  if (body.length > parsedAtOnceMax) return {};
  try {
    return Object(parseSmallBody(body));
  } catch {
    return {};
  }
}

/** Typed clients send every field that they know, even those that are not set. */
function isSet(value: unknown): boolean {
  return value !== null && value !== '' && value !== false && value !== 0;
}
