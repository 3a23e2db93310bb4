/** Thrown when an operator's request cannot be carried out; the message says why and what to do instead. */
export class AdminError extends Error {
  override readonly name = 'AdminError';
}
