import type { Reach } from './errors.ts';

/** Why no answer came, and whether the server may have received the request. */
export interface ConnectionFault {
  readonly reach: Reach;
  readonly message: string;
}

/** The facts that runtimes give about a fault. Some give numbers as codes. */
interface Fault {
  readonly code?: unknown;
  readonly name?: string;
  readonly syscall?: string;
  readonly message?: string;
  /** One for each address that was tried, in an `AggregateError`. */
  readonly errors?: readonly Fault[];
}

/**
 * The codes of Node.js and Bun for a connection that was never made. Any other code counts as sent, because a
 * write that was sent must not be mistaken for an unsent one.
 */
const unsent: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ConnectionRefused: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up at the moment',
  UND_ERR_CONNECT_TIMEOUT: 'no connection was established in time',
};

const unknownAuthority =
  'its authority is not known here; name the file with the authority’s certificate in NODE_EXTRA_CA_CERTS';

/**
 * The codes of Node.js and Bun for a certificate that fails its check, from OpenSSL. The request is sent only after the
 * check, and would fail again.
 */
const refusedCertificates: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet; compare the clock of this machine',
  CERT_REVOKED: 'it was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it was issued for a host other than the one in the URL',
};

/** Deno has no codes. Its HTTP client names the phase, and nothing was sent in this one. */
const unsentByDeno = /client error \(Connect\): (?:.*\b(Connection refused|dns error)\b)?/i;

const speaksHttp = 'the server speaks http, not https; give its URL with http://';

const unreachable = 'the server cannot be reached: ';

const broken: ConnectionFault = {
  reach: 'lost',
  message: 'the connection broke before the answer was complete',
};

const notHttp: ConnectionFault = {
  reach: 'lost',
  message: 'the server at this address does not speak HTTP; check the URL',
};

/**
 * Says why a request of `fetch` or `node:http` got no answer.
 *
 * @param error what the request failed with, or the reason of the signal that ended it
 * @param timeoutMs the time-out of the request, in milliseconds
 */
export function connectionFault(error: unknown, timeoutMs: number): ConnectionFault {
  const { cause = error } = error as { cause?: unknown };
  const { code, name, message = '' } = cause as Fault;
  if (name === 'TimeoutError') return { reach: 'lost', message: `no answer came within ${timeoutMs} ms` };
  const known = faultOfCode(code);
  if (known !== undefined) return known;
  if (isOfConnecting(cause as Fault))
    return { reach: 'unsent', message: `${unreachable}no connection was made (${code})` };
  const whileConnecting = unsentByDeno.exec(message);
  if (whileConnecting !== null)
    return { reach: 'unsent', message: unreachable + reasonOfDeno(whileConnecting) };
  if (message === 'bad port') {
    const blocked = 'fetch sends nothing to this port, which is reserved; let the server listen on another';
    return { reach: 'misdirected', message: unreachable + blocked };
  }
  if (isPlainAnswer(code, message)) return { reach: reachOfPlainAnswer(message), message: speaksHttp };
  return name === 'HTTPParserError' || String(code).startsWith('HPE_') ? notHttp : broken;
}

/** Node.js gives one fault for all addresses of a host when it could connect to none of them. */
function isOfConnecting({ syscall, errors = [] }: Fault): boolean {
  return syscall === 'connect' || (errors.length > 0 && errors.every((inner) => inner.syscall === 'connect'));
}

function faultOfCode(code: unknown): ConnectionFault | undefined {
  const reason = unsent[String(code)];
  if (reason !== undefined) return { reach: 'unsent', message: unreachable + reason };
  const certificate = refusedCertificates[String(code)];
  if (certificate !== undefined)
    return { reach: 'refused', message: `the certificate of the server was refused: ${certificate}` };
  return code === 'ECONNRESET' ? broken : undefined;
}

function reasonOfDeno([, phrase]: RegExpExecArray): string {
  if (phrase === undefined) return 'no connection was made';
  return phrase === 'dns error' ? 'there is no such host' : 'nothing listens there';
}

/** `fetch` gives this fault a code of its own, and `node:https` does not. */
function isPlainAnswer(code: unknown, message: string): boolean {
  return (
    code === 'ERR_SSL_WRONG_VERSION_NUMBER' || (code === 'EPROTO' && message.includes('wrong version number'))
  );
}

/**
 * OpenSSL reads records with its "any" method until a version is negotiated, and the request goes out after
 * that. The same fault in a later record comes from an answer.
 */
function reachOfPlainAnswer(message: string): Reach {
  return message.includes('tlsany_meth') ? 'misdirected' : 'lost';
}
