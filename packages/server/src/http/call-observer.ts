/** Observes every answered request. */
export interface CallObserver {
  /**
   * @param operation name of the operation; `undefined` when the request did not reach one
   * @param code code in the envelope
   */
  noteAnswer(operation: string | undefined, code: number, durationMs: number): void;
  /** Notes that a request was refused with 1503 before anything looked at it. */
  noteRefusedUnseen(): void;
}
