import { type Operation, operations, refusesUnknownParameters } from '@fieldroster/contract';
import type { Problem } from '@fieldroster/contract/problems';
import { ApiError } from '../errors/api-error.ts';
import { mapInSlices, type TimeSlice } from '../slices/time-slice.ts';
import { describeStoreCode } from './store-codes.ts';

const everyOperation: readonly Operation[] = Object.values(operations);

/**
 * Texts that the code of a new store must not have, such as `&force=`. `joinedValueRefuser` refuses a query with such a
 * code, so the store could be created, but neither queried, unbound nor deleted.
 */
export const textsRefusedInStoreCodes: readonly string[] = [
  ...new Set(
    everyOperation
      .filter(refusesUnknownParameters)
      .map(({ query }) => Object.keys(query?.properties ?? {}))
      .filter((names) => names.includes('code') || names.includes('store_code'))
      .flatMap((names) => names.map((name) => `&${name}=`)),
  ),
];

/**
 * Returns why a code cannot be given to a new store, or `undefined` if it can.
 *
 * @param field the name of the code in the request
 */
export function newStoreCodeProblem(code: string, field = 'code'): Problem | undefined {
  if (!code.includes('&')) return undefined;
  const text = textsRefusedInStoreCodes.find((refused) => code.includes(refused));
  if (text === undefined) return undefined;
  return { key: 'joinedStoreCode', values: { field, value: describeStoreCode(code), text } };
}

/** @throws {ApiError} 1001 when a new store must not have the code; existing stores keep theirs */
export function requireNewStoreCode(code: string): void {
  const problem = newStoreCodeProblem(code);
  if (problem !== undefined) throw new ApiError(1001, problem);
}

/**
 * @param stores all entries of the request, which the message counts
 * @param created those that are new
 * @throws {ApiError} 1001 when one of the new stores must not have its code
 */
export async function requireNewStoreCodes(
  stores: readonly { readonly code: string }[],
  created: readonly { readonly code: string }[],
  timeSlice: TimeSlice,
): Promise<void> {
  await mapInSlices(created, timeSlice, ({ code }) => {
    if (newStoreCodeProblem(code) === undefined) return;
    const index = stores.findIndex((store) => store.code === code);
    const problem = newStoreCodeProblem(code, `stores[${index}].code`);
    if (problem !== undefined) throw new ApiError(1001, problem);
  });
}
