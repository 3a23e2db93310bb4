import { codeOf } from '../errors/error-code.ts';

const untrusted = 'set sslrootcert in the database URL to the file with the authority’s certificate';

/**
 * Advice about a certificate of the database that fails its check, by the code of OpenSSL. Nothing was sent yet, so the
 * work may be repeated.
 */
export const certificateAdvice: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'renew the certificate of PostgreSQL, or correct the clock of this machine',
  CERT_NOT_YET_VALID: 'correct the clock of this machine, or the certificate of PostgreSQL',
  CERT_REVOKED: 'replace the certificate of PostgreSQL',
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: 'name the host in the database URL as the certificate of PostgreSQL does',
};

/** Returns whether a certificate was refused. Waiting does not help. */
export function isRefusedCertificate(error: unknown): boolean {
  return Object.hasOwn(certificateAdvice, codeOf(error));
}
