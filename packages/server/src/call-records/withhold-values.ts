import type { Operation } from '@fieldroster/contract';
import { hasTooManyParameters, type QueryParameter, splitTarget } from '@fieldroster/signing';

/** Replaces a value that is not kept. */
const withheld = '…';

const textBytesMax = 1_500;

/** Truncates a text of the caller to the length that a record keeps. */
export function recordableText(text: string): string {
  if (Buffer.byteLength(text) <= textBytesMax) return text;
  return `${Buffer.from(text)
    .subarray(0, textBytesMax)
    .toString()
    .replace(/\uFFFD$/, '')}…`;
}

/** Returns whether the operation reads a query parameter. The value of any other could be a password sent by mistake. */
function isKnown(operation: Operation | undefined, name: string): boolean {
  return Object.hasOwn(operation?.query?.properties ?? {}, name);
}

/**
 * Replaces the values of the parameters that the operation does not read, and their names if they have no value: such a
 * name may be a value, and end in "=".
 */
export function withholdValues(
  parameters: readonly QueryParameter[],
  operation: Operation | undefined,
): QueryParameter[] {
  return parameters.map((parameter) => {
    const { name, value } = parameter;
    return isKnown(operation, name)
      ? parameter
      : { name: isNoValue(value) ? withheld : name, value: withheld };
  });
}

/** Returns a target as it may be kept: as received, but for the values of unknown parameters. */
export function recordableTarget(target: string, operation: Operation | undefined): string {
  if (!target.includes('?')) return recordableText(target);
  const { path, query } = splitTarget(target);
  // No operation has taken such a query apart.
  if (hasTooManyParameters(query)) return recordableText(`${path}?${withheld}`);
  const pieces = query.split('&').map((piece) => keptPiece(piece, operation));
  return recordableText(`${path}?${pieces.join('&')}`);
}

function keptPiece(piece: string, operation: Operation | undefined): string {
  const equals = piece.indexOf('=');
  const name = equals === -1 ? piece : piece.slice(0, equals);
  if (isKnown(operation, name)) return piece;
  return equals === -1 || isNoValue(piece.slice(equals + 1)) ? withheld : `${name}=${withheld}`;
}

/** Returns whether a text is no more than the end of a value in Base64, whose beginning would pass for a name. */
function isNoValue(text: string): boolean {
  return !/[^=]/.test(text);
}
