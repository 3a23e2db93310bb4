/**
 * The reply to a commit was lost, and the database did not report in time whether it had committed; or a copy was
 * accepted, and a failover might still undo it. The transaction took effect as a whole or not at all.
 */
export class OutcomeUnknownError extends Error {
  override readonly name: string = 'OutcomeUnknownError';
  /** Whether it made a claim, so that the same signed request may be resent without taking effect twice. */
  readonly claimed: boolean;

  constructor(
    claimed: boolean,
    options?: ErrorOptions,
    message = 'the reply to the commit was lost, so it is not known whether the commit took effect',
  ) {
    super(message, options);
    this.claimed = claimed;
  }
}
