import { ApiError } from '../errors/api-error.ts';

/**
 * Makes the error of a date in place of a number of milliseconds.
 *
 * @param value the date as the message shows it
 * @param dateMs what it means, in Unix milliseconds
 */
export function notMilliseconds(name: string, value: string, dateMs: number): ApiError {
  return new ApiError(
    1001,
    `${name} must be in milliseconds; ${value} looks like a date: send ${dateMs}, which is ${new Date(dateMs).toISOString()}`,
  );
}
