import { OperatorError } from '../../errors/operator-error.ts';

/** Thrown when the master key is missing, unreadable or not the one that the database was written with. */
export class MasterKeyError extends OperatorError {
  override readonly name = 'MasterKeyError';
}
