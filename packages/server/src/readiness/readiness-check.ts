/** Something that must hold before this node should be sent requests. */
export interface ReadinessCheck {
  /** Short and stable, such as `database`; `/readyz` and the log show it. */
  readonly name: string;
  /**
   * `node`: another node may be free of the problem, so it makes this node not ready.
   * `shared`: every node has it, so that taking this node out would help nobody; it is only reported.
   */
  readonly scope: 'node' | 'shared';
  /**
   * Resolves with the problem as one sentence that says what to do, or `undefined` when there is none.
   *
   * Anybody may read the sentence, so it names no host, path, SQL or account, and it is logged each time it changes,
   * so it holds no measured value. What only operators should see belongs in the `cause` of a `NotReadyError`.
   * Any other rejection counts as a problem as well; only the log gets its message.
   */
  probe(): Promise<string | undefined>;
}

/** A problem that a check found: everybody may read the message, and only the log shows the cause. */
export class NotReadyError extends Error {
  override readonly name = 'NotReadyError';
}
