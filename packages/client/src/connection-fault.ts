/** Why no answer came, and whether the server may have the request all the same. */
export interface ConnectionFault {
  readonly reach: 'lost' | 'unsent' | 'misdirected';
  readonly message: string;
}

/**
 * What Node.js and Bun call a connection that never came about. Whatever is not listed counts as sent, because
 * a write that was sent must not be taken for one that was not.
 */
const unsent: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ConnectionRefused: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up at the moment',
  UND_ERR_CONNECT_TIMEOUT: 'no connection came about in time',
};

const speaksHttp = 'the server speaks http, not https; give its URL with http://';

/** Reads what `fetch` rejected with. */
export function connectionFault(error: unknown): ConnectionFault {
  const { cause = error } = error as { cause?: unknown };
  const { code, message = '' } = cause as { code?: unknown; message?: string };
  const reason = unsent[String(code)];
  if (reason !== undefined) return { reach: 'unsent', message: `the server cannot be reached: ${reason}` };
  if (message === 'bad port') {
    const blocked = 'fetch sends nothing to this port, which is reserved; let the server listen on another';
    return { reach: 'misdirected', message: `the server cannot be reached: ${blocked}` };
  }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER')
    return { reach: reachOfPlainAnswer(message), message: speaksHttp };
  return { reach: 'lost', message: 'the connection broke before the answer was complete' };
}

/**
 * OpenSSL reads records by its "any" method until a version is agreed on, and the request goes out after that.
 * The same fault in a later record would be of an answer.
 */
function reachOfPlainAnswer(message: string): ConnectionFault['reach'] {
  return message.includes('tlsany_meth') ? 'misdirected' : 'lost';
}
