/** The database cannot do the work now. Nothing of it happened, and it may be sent again. */
export class DatabaseBusyError extends Error {
  override readonly name = 'DatabaseBusyError';
}

/**
 * The reply to a commit was lost, and the database did not tell in time whether it had been committed. It happened as
 * a whole or not at all.
 */
export class OutcomeUnknownError extends Error {
  override readonly name: string = 'OutcomeUnknownError';
  /** Whether it made a claim, so that the same signed request may be sent again without taking effect twice. */
  readonly claimed: boolean;

  constructor(claimed: boolean, options?: ErrorOptions) {
    super('the reply to the commit was lost, and whether it took effect is not known', options);
    this.claimed = claimed;
  }
}
