import { refusesUnknownParameters } from '@fieldroster/contract';
import type { QueryParameter } from '@fieldroster/signing';
import { ApiError } from '../../../errors/api-error.ts';
import type { OperationInput } from './operation-input.ts';

/**
 * Makes the check that throws 1001 for a value that seems to contain the start of another parameter of the operation.
 *
 * The scheme signs decoded values joined by `&`: `code=A%26force%3Dtrue` and `code=A&force=true` have the same string
 * to sign, so anyone who captures the first could send the second. With unknown parameters refused as well, each string
 * to sign has only one list of parameters.
 */
export function joinedValueRefuser(
  operation: OperationInput,
): (parameters: readonly QueryParameter[]) => void {
  if (!refusesUnknownParameters(operation)) return () => {};
  const separators = Object.keys(operation.query?.properties ?? {}).map((name) => `&${name}=`);
  return (parameters) => {
    for (const { name, value } of parameters) {
      if (!value.includes('&')) continue;
      const separator = separators.find((text) => value.includes(text));
      if (separator !== undefined) throw joined(name, separator);
    }
  };
}

function joined(name: string, separator: string): ApiError {
  return new ApiError(
    1001,
    `${name} contains ${JSON.stringify(separator)}, which its signature cannot tell from the start of another parameter; no value of this operation may contain that text`,
  );
}
