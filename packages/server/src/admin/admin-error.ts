import { OperatorError } from '../errors/operator-error.ts';

/** Thrown when an operator's request cannot be carried out; the message says why and what to do instead. */
export class AdminError extends OperatorError {
  override readonly name = 'AdminError';
}
