import { Inflate, strFromU8 } from 'fflate';

/** What the directory of an archive says of a part. */
export interface ArchivedPart {
  readonly name: string;
  readonly method: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly checksum: number;
  /** Position of the part's own header. */
  readonly headerAt: number;
}

const stored = 0;
const deflated = 8;

/** Packed bytes that are unpacked at once. They unpack to at most a thousand times as many. */
const stepBytes = 8 * 1024;

/**
 * Returns functions that unpack the parts of an archive, by the parts' names. They believe neither the size nor the
 * checksum that its directory gives for a part: a part that says it is small could take minutes to unpack, and one that
 * says it ends early would lose its last rows. They throw when the part is damaged, or packed in another way than
 * spreadsheet programs pack it.
 *
 * @param isWanted called for each part in the directory, in its order; may throw
 * @throws when the directory is damaged
 */
export function openArchive(
  archive: Uint8Array,
  isWanted: (part: ArchivedPart) => boolean,
): Map<string, () => Uint8Array> {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const unpackers = new Map<string, () => Uint8Array>();
  for (const part of partsOf(archive, view)) {
    if (isWanted(part)) unpackers.set(part.name, () => unpack(part, archive, view));
  }
  return unpackers;
}

function unpack(part: ArchivedPart, archive: Uint8Array, view: DataView): Uint8Array {
  const { method, packedBytes, headerAt } = part;
  if (view.getUint32(headerAt, true) !== localSignature) throw damaged(part);
  const begin = headerAt + 30 + view.getUint16(headerAt + 26, true) + view.getUint16(headerAt + 28, true);
  const packed = archive.subarray(begin, begin + packedBytes);
  if (method !== stored && method !== deflated)
    throw new Error(`${part.name} is packed by method ${method}, which is not supported`);
  const content = method === stored ? packed : inflate(part, packed);
  if (content.length !== part.bytes || crc32(content) !== part.checksum) throw damaged(part);
  return content;
}

/** Stops at the first byte beyond the size in the directory. */
function inflate(part: ArchivedPart, packed: Uint8Array): Uint8Array {
  const content = new Uint8Array(part.bytes);
  let length = 0;
  const inflater = new Inflate((chunk) => {
    if (length + chunk.length > content.length) throw damaged(part);
    content.set(chunk, length);
    length += chunk.length;
  });
  for (let begin = 0; begin === 0 || begin < packed.length; begin += stepBytes)
    inflater.push(packed.subarray(begin, begin + stepBytes), begin + stepBytes >= packed.length);
  return content.subarray(0, length);
}

function damaged({ name }: ArchivedPart): Error {
  return new Error(`${name} has another content than the archive says`);
}

const localSignature = 0x04034b50;
const entrySignature = 0x02014b50;
const endSignature = 0x06054b50;
const endBytes = 22;
const commentBytesMax = 0xffff;

interface Directory {
  /** How many entries it has. */
  readonly count: number;
  readonly at: number;
  /** Position of the record that follows it. */
  readonly end: number;
}

/** Source: APPNOTE.TXT of PKWARE, sections 4.3.12 and 4.3.16. */
function* partsOf(archive: Uint8Array, view: DataView): Generator<ArchivedPart> {
  const end = findEnd(archive, view);
  const directory = largeDirectory(view, end) ?? {
    count: view.getUint16(end + 8, true),
    at: view.getUint32(end + 16, true),
    end,
  };
  let { count, at } = directory;
  for (; count > 0; count -= 1) {
    if (view.getUint32(at, true) !== entrySignature) throw new RangeError('no entry of the directory');
    const nameEnd = at + 46 + view.getUint16(at + 28, true);
    const extraEnd = nameEnd + view.getUint16(at + 30, true);
    const isUtf8 = (view.getUint16(at + 8, true) & 0x800) !== 0;
    yield {
      name: strFromU8(archive.subarray(at + 46, nameEnd), !isUtf8),
      method: view.getUint16(at + 10, true),
      checksum: view.getUint32(at + 16, true),
      ...sizesOf(view, at, { begin: nameEnd, end: extraEnd }),
    };
    at = extraEnd + view.getUint16(at + 32, true);
  }
  // More entries follow than the end of the archive counts.
  if (at < directory.end && view.getUint32(at, true) === entrySignature)
    throw new RangeError('an entry beyond the directory');
}

/** The comment behind the end may contain anything, such as another signature. */
function findEnd(archive: Uint8Array, view: DataView): number {
  const last = view.byteLength - endBytes;
  for (let end = last; end >= 0 && last - end <= commentBytesMax; end -= 1) {
    const isEnd = view.getUint32(end, true) === endSignature;
    if (isEnd && view.getUint16(end + 20, true) <= last - end) return end;
  }
  if (isCompoundFile(archive)) throw new Error('it is protected by a password, or has the format of .xls');
  throw new Error('it is not an archive, or its end is missing');
}

/** Office programs write encrypted workbooks, and those of the format before .xlsx, as compound files. */
function isCompoundFile(bytes: Uint8Array): boolean {
  return [0xd0, 0xcf, 0x11, 0xe0].every((byte, index) => bytes[index] === byte);
}

const zip64LocatorSignature = 0x07064b50;
const zip64EndSignature = 0x06064b50;

/** Returns where the directory is in the format for large archives, in which some programs write every archive. */
function largeDirectory(view: DataView, end: number): Directory | undefined {
  const locator = end - 20;
  if (locator < 0 || view.getUint32(locator, true) !== zip64LocatorSignature) return undefined;
  const largeEnd = longAt(view, locator + 8);
  if (view.getUint32(largeEnd, true) !== zip64EndSignature) return undefined;
  return { count: longAt(view, largeEnd + 32), at: longAt(view, largeEnd + 48), end: largeEnd };
}

const zip64ExtraField = 1;
const inExtraField = 0xffff_ffff;

/** Reads the numbers of a part, which stand in an extra field of the entry if the entry itself has no room for them. */
function sizesOf(view: DataView, entry: number, extra: { readonly begin: number; readonly end: number }) {
  let next = extra.begin;
  while (next + 4 <= extra.end && view.getUint16(next, true) !== zip64ExtraField)
    next += 4 + view.getUint16(next + 2, true);
  next += 4;
  const read = (at: number) => {
    const value = view.getUint32(at, true);
    if (value !== inExtraField) return value;
    next += 8;
    return longAt(view, next - 8);
  };
  const bytes = read(entry + 24);
  const packedBytes = read(entry + 20);
  return { bytes, packedBytes, headerAt: read(entry + 42) };
}

/** A number that a double cannot hold is larger than any archive, and so is its approximation. */
function longAt(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit += 1)
    remainder = (remainder & 1) === 0 ? remainder >>> 1 : (remainder >>> 1) ^ 0xedb8_8320;
  return remainder;
});

function crc32(content: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (const byte of content) crc = (crcTable[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8);
  return (crc ^ 0xffff_ffff) >>> 0;
}
