import { createHash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

const recoveryCodes = 10;
const secretBytes = 20;
const periodSeconds = 30;

/** How long a set-up may take. A secret that was shown and then abandoned must not turn into a second factor later. */
const setUpMs = 3_600_000;

/** How many time steps before and after the current one are accepted, because clocks differ. */
const window = 1;

/** Returns a new TOTP secret in Base32 (RFC 6238: SHA-1, six digits, 30 seconds). */
export function newTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/** A second factor that is being set up, as text to seal: when the set-up ends, and the secret. */
export function toPendingFactor(secret: string, nowMs: number): string {
  return `${nowMs + setUpMs} ${secret}`;
}

/**
 * Returns the secret of a set-up that has not ended. A set-up that would last far longer than any does counts as ended:
 * it was begun while a clock was ahead, and that clock has since been set back.
 */
export function readPendingFactor(text: string, nowMs: number): string | undefined {
  const [endsAtMs, secret] = text.split(' ');
  const leftMs = Number(endsAtMs) - nowMs;
  return leftMs > 0 && leftMs <= 2 * setUpMs ? secret : undefined;
}

/** Returns the URI that authenticators read from a QR code. */
export function totpUri(secret: string, username: string): string {
  return totpOf(secret, username).toString();
}

/** Returns whether a code has the form of an authenticator's. No recovery code has it. */
export function isTotpCode(code: string): boolean {
  return /^\d{6}$/.test(code);
}

/**
 * Checks a code.
 *
 * @returns the time step that the code belongs to, or `undefined` for a wrong code; a caller must refuse a step that was
 *   accepted before, so that an observed code cannot be used again
 */
export function matchTotp(secret: string, code: string, nowMs: number): bigint | undefined {
  if (!isTotpCode(code)) return undefined;
  const delta = totpOf(secret, '').validate({ token: code, timestamp: nowMs, window });
  if (delta === null) return undefined;
  return BigInt(Math.floor(nowMs / 1000 / periodSeconds) + delta);
}

function totpOf(secret: string, label: string): TOTP {
  return new TOTP({ issuer: 'Fieldroster', label, secret: Secret.fromBase32(secret), period: periodSeconds });
}

/** Returns whether two sealed secrets are the same, or both are missing. */
export function isSameFactor(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : Buffer.compare(a, b) === 0;
}

/** Returns new recovery codes, each of 80 random bits: `xxxxx-xxxxx-xxxxx-xxxxx`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodes }, () =>
    randomBytes(10)
      .toString('hex')
      .replaceAll(/(.{5})(?=.)/g, '$1-'),
  );
}

/** Returns the hash under which the database stores a recovery code; ignores case and dashes. */
export function hashRecoveryCode(code: string): string {
  return createHash('sha256')
    .update(code.toLowerCase().replaceAll(/[^0-9a-f]/g, ''))
    .digest('hex');
}
