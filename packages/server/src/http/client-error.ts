import type { Socket } from 'node:net';
import { answerHeaderLines } from './fixed-headers.ts';

const statusLines: Readonly<Record<string, readonly [line: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'the request line and headers are larger than 16 KiB',
  ],
  HPE_INVALID_URL: [
    '400 Bad Request',
    'the path or query has a character that must be percent-encoded, as UTF-8',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request did not arrive in time'],
};

/** Time for the client to read the answer before the connection is cut. */
const lingerMs = 1_000;

/** Answers an invalid or late HTTP request with an envelope too, and closes the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket, requestId: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.destroyed) {
    socket.destroy();
    return;
  }
  const [line, message] = statusLines[error.code ?? ''] ?? [
    '400 Bad Request',
    'this is not a valid HTTP/1.1 request',
  ];
  const body = JSON.stringify({ code: 1001, message });
  socket.end(
    `HTTP/1.1 ${line}\r\nDate: ${new Date().toUTCString()}\r\nX-Request-Id: ${requestId}\r\n${answerHeaderLines}Content-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // A peer that never closes its side would keep the socket open and hold up a stop.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
