declare const opaque: unique symbol;

/**
 * A secret that {@link secretKey} has prepared for HMAC-SHA256. Its content depends on the runtime, so use it
 * only to sign and verify.
 */
export interface SecretKey {
  readonly [opaque]: never;
}
