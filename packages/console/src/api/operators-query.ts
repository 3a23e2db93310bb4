import { queryOptions } from '@tanstack/react-query';
import { callConsole } from './call.ts';

/** Every operator, for owners. */
export const operatorsQuery = queryOptions({
  queryKey: ['operators'],
  queryFn: async ({ signal }) => (await callConsole('listOperators', {}, undefined, { signal })).operators,
});
