import type { ApiError } from '../../errors/api-error.ts';

/** Codes of requests that were refused before their content mattered. */
const codes: ReadonlySet<ApiError['code']> = new Set<ApiError['code']>([1011, 1012, 1013, 1014, 1016]);

/** Returns whether a failure refuses the caller: somebody may be trying to get in, or lacks a permission. */
export function refusesCaller(code: ApiError['code']): boolean {
  return codes.has(code);
}
