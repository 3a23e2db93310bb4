/** A condition that must hold before this node should get requests. */
export interface ReadinessCheck {
  /** Short and stable, such as `database`; `/readyz` and the log show it. */
  readonly name: string;
  /**
   * `node`: other nodes may be free of the problem, so it makes this node not ready.
   * `shared`: every node has it, so taking this node out would not help; it is only reported.
   */
  readonly scope: 'node' | 'shared';
  /**
   * Resolves with the problem as one sentence that says what to do, or `undefined` when there is none.
   *
   * Anyone may read the sentence, so it must name no host, path, SQL or account. It is logged each time it changes, so
   * it must hold no measured value. Details for operators only belong in the `cause` of a `NotReadyError`. Any
   * other rejection counts as a problem too; only the log gets its message.
   */
  probe(): Promise<string | undefined>;
}

/** A problem that a check found: anyone may read the message, and only the log shows the cause. */
export class NotReadyError extends Error {
  override readonly name = 'NotReadyError';
}
