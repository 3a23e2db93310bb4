/** The configuration file, whose text every worker gets. A worker that dies is replaced by one with the same text. */
export interface WorkerConfiguration {
  /** What the supervisor itself started with; `undefined` when there is no file. */
  readonly text: string | undefined;
  /**
   * Reads the file again.
   *
   * @throws {Error} when it has an error
   */
  reread(): string | undefined;
}

/** What the file held when it was read. Each reading is an object of its own, even if the text has not changed. */
export type Reading = Pick<WorkerConfiguration, 'text'>;

/** A reading with which the next worker starts, and what became of that start. */
export interface Trial extends PromiseWithResolvers<void> {
  readonly reading: Reading;
}

export const noConfiguration: WorkerConfiguration = { text: undefined, reread: () => undefined };
