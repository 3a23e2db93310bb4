/** An error of the HTTP parser in Node.js. */
export interface ParserError {
  /** The parser's name for the mistake. */
  readonly code?: string;
  /** The mistake in the parser's words. */
  readonly reason?: unknown;
  /** The packet with the byte that the parser refused. */
  readonly rawPacket?: unknown;
}

const chunks =
  'the chunks of the body are malformed: send the size of each in hexadecimal, CR LF, that many bytes, CR LF';
const lengths = 'send Content-Length once, and not together with Transfer-Encoding';
const bareCarriageReturn = 'a line of the headers ends with CR alone: end each with CR LF';

const explanations: Readonly<Record<string, string>> = {
  HPE_INVALID_METHOD:
    'the request does not begin with a method of HTTP in capital letters, such as GET; if it follows another request on ' +
    'the connection, the earlier one sent more bytes than its Content-Length says',
  HPE_INVALID_CONSTANT:
    'the path and query are not followed by HTTP/1.1: percent-encode each space in them as %20',
  HPE_INVALID_VERSION: 'the request line does not end with HTTP/1.1 and CR LF',
  HPE_PAUSED_H2_UPGRADE: 'HTTP/2 is not supported: send HTTP/1.1',
  HPE_INVALID_HEADER_TOKEN:
    'a header is malformed: send each as "Name: value" in one line that ends with CR LF, without spaces in the name ' +
    'and without control characters in the value',
  HPE_LF_EXPECTED: bareCarriageReturn,
  HPE_CR_EXPECTED: 'a line of the headers ends with LF alone: end each with CR LF',
  HPE_INVALID_CONTENT_LENGTH: 'the header Content-Length is not a number of bytes in decimal digits',
  HPE_UNEXPECTED_CONTENT_LENGTH: lengths,
  HPE_INVALID_TRANSFER_ENCODING:
    'the header Transfer-Encoding may only be "chunked", once; send Content-Length in place of another coding',
  HPE_INVALID_CHUNK_SIZE: chunks,
  HPE_STRICT: chunks,
  HPE_INVALID_EOF_STATE:
    'the connection ended before the request did: end the headers with an empty line, send as many bytes of body as ' +
    'Content-Length says, or end a chunked body with a chunk of size 0, and keep the connection open until the answer ' +
    'arrives',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'the chunk extensions are larger than 16 KiB: leave them out',
};

/** Explains what the parser tells apart only by its reason. Where a release words that differently, the code decides. */
const explanationsByReason: Readonly<Record<string, string>> = {
  "Content-Length can't be present with Transfer-Encoding": lengths,
  "Transfer-Encoding can't be present with Content-Length": lengths,
  'Content-Length overflow':
    'the header Content-Length is larger than any body may be: send the number of bytes of the body',
  'Expected LF after headers': bareCarriageReturn,
};

/** The first byte of a TLS connection says that a handshake follows. */
const tlsHandshake = 0x16;

/**
 * Returns what is wrong with a request that is not HTTP/1.1, and what to send instead. Quotes nothing of the request.
 */
export function explainParserError({ code = '', reason, rawPacket }: ParserError): string {
  if (code === 'HPE_INVALID_METHOD' && rawPacket instanceof Buffer && rawPacket[0] === tlsHandshake) {
    return 'this port expects HTTP, but received a TLS handshake: use http://, or the address of the proxy that serves https://';
  }
  if (code === 'HPE_CR_EXPECTED' && String(reason).includes('chunk')) return chunks;
  return explanationsByReason[String(reason)] ?? explanations[code] ?? 'this is not a valid HTTP/1.1 request';
}
