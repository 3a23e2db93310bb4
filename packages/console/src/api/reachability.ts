import { watchedValue } from './watched-value.ts';

/** Whether the last call was answered by the server. */
export const reachability = watchedValue(true);
