declare const opaque: unique symbol;

/**
 * A secret made ready for HMAC-SHA256 by {@link secretKey}. What is inside depends on the runtime, so it is
 * good for nothing but signing and verifying.
 */
export interface SecretKey {
  readonly [opaque]: never;
}
