import { type FileHandle, open } from 'node:fs/promises';

const magic = 0xfd2fb528;

/** Bytes of a frame's header before its optional fields: the magic number and the descriptor. */
const fixedBytes = 5;

const blockHeaderBytes = 3;

/**
 * Returns whether a file is a whole zstd stream with nothing after it.
 * Reads only the sizes of its blocks, a few bytes of every hundred kilobytes. Source: RFC 8878, section 3.1.1.
 */
export async function isCompleteStream(path: string): Promise<boolean> {
  await using file = await open(path);
  const { size } = await file.stat();
  let position: number | undefined = 0;
  // Node.js ends a stream with an empty frame.
  do position = await endOfFrame(file, position);
  while (position !== undefined && position < size);
  return position === size;
}

/** Returns the end of the frame that begins at `start`; `undefined` if none does, or the file has only a part of it. */
async function endOfFrame(file: FileHandle, start: number): Promise<number | undefined> {
  const fixed = await readAt(file, start, fixedBytes);
  if (fixed?.readUInt32LE() !== magic) return undefined;
  const descriptor = fixed.readUInt8(fixedBytes - 1);
  const checksumBytes = (descriptor & 0b100) === 0 ? 0 : 4;
  let position = start + fixedBytes + optionalBytes(descriptor);
  for (;;) {
    const header = (await readAt(file, position, blockHeaderBytes))?.readUIntLE(0, blockHeaderBytes);
    const bytes = header === undefined ? undefined : blockBytes(header);
    if (header === undefined || bytes === undefined) return undefined;
    position += blockHeaderBytes + bytes;
    if ((header & 1) === 1) return position + checksumBytes;
  }
}

/** Returns how many bytes of window, dictionary and content size follow the descriptor. */
function optionalBytes(descriptor: number): number {
  const single = (descriptor >> 5) & 1;
  const sizeFlag = descriptor >> 6;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 0b11] ?? 0;
  return 1 - single + dictionaryBytes + (sizeFlag === 0 ? single : 1 << sizeFlag);
}

/** Returns the bytes of a block after its header; `undefined` for a block that no compressor makes, such as zeros. */
function blockBytes(header: number): number | undefined {
  const [last, type, size] = [header & 1, (header >> 1) & 0b11, header >> 3];
  if (type === 3 || (size === 0 && last === 0)) return undefined;
  // A repeated byte is stored once.
  return type === 1 ? 1 : size;
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer | undefined> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position);
  return bytesRead === length ? buffer : undefined;
}
