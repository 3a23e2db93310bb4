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

/**
 * Makes the check of a body for a field that the operation cannot do without, if the query has a parameter of that name.
 * It throws 1001 if the body lacks the field, and 1002 if there is no body. The original operations overlook extra
 * parameters, so no other request is refused for one.
 */
export function misplacedFieldRefuser({
  body,
}: OperationInput): (
  parameters: readonly QueryParameter[],
  given: Readonly<Record<string, unknown>> | undefined,
) => void {
  const indispensable = [...(body?.required ?? []).map((name) => [name]), identifiersOf(body)];
  return (parameters, given) => {
    for (const names of indispensable) {
      if (names.some((name) => isGiven(given, name))) continue;
      const found = parameters.find(({ name, value }) => names.includes(name) && value !== '');
      if (found === undefined) continue;
      if (given === undefined)
        throw new ApiError(
          1002,
          `the body is empty; ${found.name} is in the query; send it in a JSON object`,
        );
      throw new ApiError(
        1001,
        `${found.name} is in the query; send it in the body; the query of this operation is not read`,
      );
    }
  };
}

function isGiven(body: Readonly<Record<string, unknown>> | undefined, name: string): boolean {
  return body !== undefined && Object.hasOwn(body, name) && body[name] !== null && body[name] !== '';
}

/** Returns the fields of which a body must have one to name a user. */
function identifiersOf(body: OperationInput['body']): readonly string[] {
  const names = ['id', 'username'];
  const isEither = names.every((name) => name in (body?.properties ?? {}) && !body?.required?.includes(name));
  return isEither ? names : [];
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
