import type { PlusReading } from '@fieldroster/signing';
import type { WireAnswer } from './send-request.ts';
import type { Credentials } from './test-tenants.ts';

/** How a request deviates from a correctly signed one. */
export interface Overrides {
  readonly as?: Credentials;
  readonly timestampSeconds?: number;
  readonly nonce?: string;
  readonly plus?: PlusReading;
  /** Target, method and body to sign in place of those sent. */
  readonly signedTarget?: string;
  readonly signedMethod?: string;
  readonly signedBody?: string;
  /** Headers that add to or replace the signed ones; `undefined` leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly chunked?: boolean;
}

export interface Envelope {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export interface Answer extends WireAnswer {
  readonly envelope: Envelope;
  readonly requestId: string;
}
