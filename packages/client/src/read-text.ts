/**
 * The longest string in Node.js and most browsers, so no larger answer could be parsed. The largest answer of a server
 * has 410 MB: 50,000 stores with the longest texts, every character of which JSON escapes as six.
 */
export const answerBytesMaxDefault = 2 ** 29 - 24;

/** An answer has more bytes than its reader accepts. */
export class OversizedAnswerError extends Error {
  override readonly name = 'OversizedAnswerError';

  constructor(bytesMax: number) {
    const limit = bytesMax.toLocaleString('en');
    super(`the answer is larger than ${limit} bytes; check the URL, and any proxy in front of the server`);
  }
}

/**
 * Reads the text of a response. A replacement of `fetch` may give a stream of Node.js as its body, or none.
 *
 * @throws {OversizedAnswerError} for more than `bytesMax` bytes
 */
export async function readTextOf(response: Response, bytesMax: number): Promise<string> {
  const body: unknown = response.body;
  if (isWebStream(body) || isIterable(body)) return readText(body, bytesMax);
  const text = await response.text();
  if (new TextEncoder().encode(text).length > bytesMax) throw new OversizedAnswerError(bytesMax);
  return text;
}

function isWebStream(body: unknown): body is ReadableStream<Uint8Array> {
  return typeof (body as Partial<ReadableStream> | null | undefined)?.getReader === 'function';
}

function isIterable(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/**
 * Reads a body as UTF-8, and leaves it as soon as it is too large. A small compressed body can have a large content, so
 * only the bytes that arrive here count.
 *
 * @throws {OversizedAnswerError} for more than `bytesMax` bytes
 */
export async function readText(
  body: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of isWebStream(body) ? chunksOf(body) : body) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new OversizedAnswerError(bytesMax);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Not every browser can iterate over a stream. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // The connection may have ended with an error meanwhile.
    reader.cancel().catch(() => {});
  }
}
