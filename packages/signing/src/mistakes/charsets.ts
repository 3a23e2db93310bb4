/** A charset that a client's platform may sign in. */
export interface Charset {
  /** The name that people know it by. */
  readonly name: string;
  /** Returns the text in this charset, with `?` for what it lacks, as Java encodes. */
  readonly encode: (text: string) => Uint8Array;
  /** Whether it encodes ASCII differently from UTF-8. */
  readonly changesAscii?: true;
}

/** The charsets that a string to sign may have been encoded in instead of UTF-8, most frequent first. */
export const charsets: readonly Charset[] = [
  { name: 'GBK', encode: (text) => encodeByTable(text, doubleByteTable('gbk')) },
  { name: 'GB18030', encode: (text) => encodeByTable(text, doubleByteTable('gb18030'), fourBytes) },
  {
    name: 'US-ASCII or another charset that lacks its characters',
    encode: (text) => encodeByTable(text, noTable),
  },
  { name: 'ISO-8859-1 (Latin-1)', encode: (text) => encodeByTable(text, latin1Table()) },
  { name: 'windows-1252', encode: (text) => encodeByTable(text, singleByteTable('windows-1252')) },
  { name: 'Big5', encode: (text) => encodeByTable(text, doubleByteTable('big5')) },
  { name: 'Shift_JIS', encode: (text) => encodeByTable(text, doubleByteTable('shift_jis')) },
  { name: 'UTF-16 (little-endian)', encode: (text) => encodeUtf16(text, true), changesAscii: true },
  { name: 'UTF-16 (big-endian)', encode: (text) => encodeUtf16(text, false), changesAscii: true },
  {
    name: 'UTF-16 (big-endian, with a byte order mark)',
    encode: (text) => encodeUtf16(`\ufeff${text}`, false),
    changesAscii: true,
  },
];

const firstBeyondBmp = 0x10000;

/** The code of one or two bytes for each UTF-16 code unit beyond ASCII; 0 for those that the charset lacks. */
type Table = Uint16Array;

const questionMark = [0x3f];
const noTable: Table = new Uint16Array(0);

function encodeByTable(
  text: string,
  table: Table,
  otherwise: (codePoint: number) => readonly number[] = () => questionMark,
): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    const code = codePoint < 0x80 ? codePoint : (table[codePoint] ?? 0);
    if (code > 0xff) bytes.push(code >> 8, code & 0xff);
    else if (code > 0 || codePoint === 0) bytes.push(code);
    else bytes.push(...otherwise(codePoint));
  }
  return Uint8Array.from(bytes);
}

function encodeUtf16(text: string, littleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let at = 0; at < text.length; at += 1) view.setUint16(at * 2, text.charCodeAt(at), littleEndian);
  return new Uint8Array(view.buffer);
}

const tables = new Map<string, Table>();

/** Makes a table on first use, by inverting a decoder of the platform, so that none has to be shipped. */
function tableOf(name: string, fill: (table: Table) => void): Table {
  const known = tables.get(name);
  if (known !== undefined) return known;
  const table = new Uint16Array(firstBeyondBmp);
  fill(table);
  tables.set(name, table);
  return table;
}

// Made without a decoder: to decoders, Latin-1 is another name for windows-1252.
function latin1Table(): Table {
  return tableOf('latin1', (table) => {
    for (let byte = 0x80; byte <= 0xff; byte += 1) table[byte] = byte;
  });
}

function singleByteTable(label: string): Table {
  return tableOf(label, (table) => addSingleBytes(table, new TextDecoder(label)));
}

function addSingleBytes(table: Table, decoder: TextDecoder): void {
  for (let byte = 0x80; byte <= 0xff; byte += 1) {
    const unit = decoder.decode(Uint8Array.of(byte)).charCodeAt(0);
    if (unit !== replacement) table[unit] ||= byte;
  }
}

const replacement = 0xfffd;
const lineFeed = 0x0a;
const leadLast = 0xfe;
const trailFirst = 0x40;
const trails = 0xff - trailFirst;

function doubleByteTable(label: string): Table {
  return tableOf(label, (table) => {
    const decoder = new TextDecoder(label);
    // The euro sign has one byte in GBK, but not in GB18030.
    if (label !== 'gb18030') addSingleBytes(table, decoder);
    // The rows of Big5 before this one hold later additions.
    const leadFirst = label === 'big5' ? 0xa1 : 0x81;
    addPairs(table, leadFirst, decoder.decode(allPairs(leadFirst)));
  });
}

/** Returns every pair of bytes, with a line feed after each. */
function allPairs(leadFirst: number): Uint8Array {
  const bytes = new Uint8Array((leadLast - leadFirst + 1) * trails * 3);
  for (let pair = 0, at = 0; at < bytes.length; pair += 1, at += 3) {
    bytes[at] = leadFirst + Math.floor(pair / trails);
    bytes[at + 1] = trailFirst + (pair % trails);
    bytes[at + 2] = lineFeed;
  }
  return bytes;
}

function addPairs(table: Table, leadFirst: number, decoded: string): void {
  eachSingleUnit(decoded, (unit, pair) => {
    const code = ((leadFirst + Math.floor(pair / trails)) << 8) | (trailFirst + (pair % trails));
    if (table[unit] === 0 || laterCodes.has(code)) table[unit] = code;
  });
}

/** Reports each line that consists of a single code unit: its bytes are the code of this character. */
function eachSingleUnit(decoded: string, found: (unit: number, line: number) => void): void {
  let line = 0;
  let start = 0;
  for (let at = 0; at < decoded.length; at += 1) {
    if (decoded.charCodeAt(at) !== lineFeed) continue;
    const unit = decoded.charCodeAt(start);
    if (at - start === 1 && unit !== replacement) found(unit, line);
    line += 1;
    start = at + 1;
  }
}

/** Six characters have two codes in Big5; the later one is used. */
const laterCodes: ReadonlySet<number> = new Set([0xf9f9, 0xf9e9, 0xf9eb, 0xf9ea, 0xa451, 0xa4ca]);

const fourBytesInBmp = 39_420;
const firstBeyondBmpPointer = 189_000;

/** Returns the four bytes of GB18030 for a character that has no two. */
function fourBytes(codePoint: number): readonly number[] {
  if (codePoint >= firstBeyondBmp) return bytesOf(firstBeyondBmpPointer + codePoint - firstBeyondBmp);
  const code = fourByteTable()[codePoint] ?? 0;
  return code === 0 ? questionMark : bytesOf(code - 1);
}

/** Holds each pointer plus one, because 0 means that the character has none. */
function fourByteTable(): Table {
  return tableOf('gb18030 in four bytes', (table) => {
    const bytes = new Uint8Array(fourBytesInBmp * 5);
    for (let pointer = 0; pointer < fourBytesInBmp; pointer += 1) {
      bytes.set(bytesOf(pointer), pointer * 5);
      bytes[pointer * 5 + 4] = lineFeed;
    }
    eachSingleUnit(new TextDecoder('gb18030').decode(bytes), (unit, pointer) => {
      table[unit] = pointer + 1;
    });
  });
}

/** Writes a pointer as GB18030 does: digits of the bases 126, 10, 126 and 10. */
function bytesOf(pointer: number): readonly number[] {
  const rest = Math.floor(pointer / 10);
  return [
    0x81 + Math.floor(rest / 1260),
    0x30 + (Math.floor(rest / 126) % 10),
    0x81 + (rest % 126),
    0x30 + (pointer % 10),
  ];
}
