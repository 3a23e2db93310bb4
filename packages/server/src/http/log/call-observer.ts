/** Observes every answered request. */
export interface CallObserver {
  /**
   * @param operation name of the operation; `undefined` when the request did not reach one
   * @param code code in the envelope
   */
  noteAnswer(operation: string | undefined, code: number, durationMs: number): void;
  /**
   * Notes that a request was refused before anything looked at it.
   *
   * @param code 1503 for overload, 1429 for too many requests on one connection
   */
  noteRefusedUnseen(code: 1429 | 1503): void;
}
