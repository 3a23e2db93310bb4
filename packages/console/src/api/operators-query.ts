import { queryOptions } from '@tanstack/react-query';
import { callConsole } from './call.ts';

/** Every operator, and the links that can still be used, for owners. */
export const operatorsQuery = queryOptions({
  queryKey: ['operators'],
  queryFn: ({ signal }) => callConsole('listOperators', {}, undefined, { signal }),
});
