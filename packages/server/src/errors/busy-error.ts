import { ExpectedError } from './expected-error.ts';

/** The server or its database cannot do the work now. Nothing changed, so the work may be sent again. */
export class BusyError extends ExpectedError {
  override readonly name = 'BusyError';
}

/** Nobody waits for the work any longer. */
export class CallerGoneError extends BusyError {
  constructor() {
    super('the caller disconnected while its work waited');
  }
}

/** Too many calls of one application wait, which says nothing about the state of the server. */
export class TooManyWaitError extends BusyError {}
