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

export const noConfiguration: WorkerConfiguration = { text: undefined, reread: () => undefined };
