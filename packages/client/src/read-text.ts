/**
 * The longest string in Node.js and most browsers, so no larger answer could be parsed. The largest one of a server,
 * 50,000 stores with the longest texts, of which JSON writes every character as six, has 410 MB.
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
 * Reads a body as UTF-8, and leaves it as soon as it is too large. A small compressed body can have a large content, so
 * only the bytes that arrive here count.
 *
 * @throws {OversizedAnswerError} for more than `bytesMax` bytes
 */
export async function readText(body: ReadableStream<Uint8Array>, bytesMax: number): Promise<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > bytesMax) {
      // The connection may have ended with an error meanwhile.
      reader.cancel().catch(() => {});
      throw new OversizedAnswerError(bytesMax);
    }
    text += decoder.decode(value, { stream: true });
  }
}
