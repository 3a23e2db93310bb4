import { ApiError } from '../../errors/api-error.ts';
import type { Call } from '../call.ts';

/** Throws 1011 when a header of the signature was sent more than once, even if each value alone would be right. */
export function refuseRepeatedHeaders({ repeatedHeader }: Pick<Call, 'repeatedHeader'>): void {
  if (repeatedHeader === undefined) return;
  const { name, times } = repeatedHeader;
  throw new ApiError(1011, `the ${name} header was sent ${times} times; send it once`);
}
