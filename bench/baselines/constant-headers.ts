/** The headers that the measured server sends with an answer. */
export function constantHeaders(body: string) {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': 'a1b2c3d4e5f6-abc12',
    'Cache-Control': 'no-store',
    ETag: '"1"',
  };
}
