import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';

/** Longer than any line of a backup: the largest cell is an audit row of a batch, of at most 32 MiB. */
const lineCharactersMax = 256 * 1024 * 1024;

/**
 * Writes text compressed into a new file that only its owner can read,
 * and returns its size in bytes once it is on disk.
 *
 * @param text complete lines, in pieces of any size; read only as fast as the disk takes them
 */
export async function writeCompressed(path: string, text: AsyncIterable<string>): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  try {
    const compress = createZstdCompress({
      params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
    });
    await pipeline(Readable.from(text, { highWaterMark: 1 }), compress, async (compressed) => {
      for await (const chunk of compressed) await file.writeFile(chunk);
    });
    await file.sync();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

/** No line at the start of a backup is longer. */
const firstLineCharactersMax = 1024 * 1024;

/**
 * Reads the first lines of a compressed file, and at most a few hundred kilobytes of it.
 *
 * @throws as `readCompressedLines`, and when it has fewer lines
 */
export async function readFirstLines(path: string, count: number): Promise<readonly string[]> {
  const first: string[] = [];
  for await (const lines of readCompressedLines(path, firstLineCharactersMax)) {
    first.push(...lines.slice(0, count - first.length));
    if (first.length === count) return first;
  }
  throw new Error(`it has fewer than ${count} lines`);
}

/**
 * Reads a compressed file to its end, where its checksum is verified.
 *
 * @throws what {@link readCompressedLines} throws for a damaged stream; its lines make no difference
 */
export async function readToEnd(path: string): Promise<void> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  await pipeline(createReadStream(path, { highWaterMark: 256 * 1024 }), createZstdDecompress(), nowhere);
}

/**
 * Reads the lines of a compressed file, a few at a time.
 *
 * @param charactersMax length of the longest line
 * @throws when the file cannot be read, is not a zstd stream, or is damaged
 */
export async function* readCompressedLines(
  path: string,
  charactersMax = lineCharactersMax,
): AsyncGenerator<string[]> {
  const decoder = new StringDecoder('utf8');
  const source = createReadStream(path, { highWaterMark: 256 * 1024 });
  const expanded = createZstdDecompress();
  // The error of either reaches the loop below through the second.
  source.on('error', (error) => expanded.destroy(error));
  source.pipe(expanded);
  // A line is joined once, when it is complete: joining it with each piece would take quadratic time.
  let pieces: string[] = [];
  let characters = 0;
  try {
    for await (const chunk of expanded) {
      const lines = decoder.write(chunk as Buffer).split('\n');
      const last = lines.pop() ?? '';
      if (lines.length > 0) {
        lines[0] = pieces.join('') + lines[0];
        pieces = [];
        characters = 0;
      }
      pieces.push(last);
      characters += last.length;
      if (characters > charactersMax) throw new Error('a line is longer than any line of a backup can be');
      if (lines.length > 0) yield lines;
    }
  } finally {
    source.destroy();
  }
  if (characters > 0) throw new Error('its last line is incomplete');
}
