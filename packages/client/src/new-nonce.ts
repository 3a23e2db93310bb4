/** Returns a random nonce of 36 or 32 characters. */
export function newNonce(): string {
  const { crypto } = globalThis;
  // Browsers have no randomUUID on a page that was not loaded over TLS.
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
