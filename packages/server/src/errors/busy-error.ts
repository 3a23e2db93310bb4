import { ExpectedError } from './expected-error.ts';

/** The server or its database cannot do the work now. Nothing changed, so the work may be sent again. */
export class BusyError extends ExpectedError {
  override readonly name = 'BusyError';
}

/** Too many calls of one application wait, which says nothing about the state of the server. */
export class TooManyWaitError extends BusyError {}
