/** The BER tags of a search (RFC 4511). */
const tag = { octets: 0x04, sequence: 0x30, request: 0x63, entry: 0x64, done: 0x65, equality: 0xa3 } as const;

/** All searches share this id, because a connection sends one at a time. */
const messageId = Buffer.from('020101', 'hex');

/** The whole subtree, aliases never followed, no limit of size or time, and values as well as types. */
const scope = Buffer.from('0a01020a0100020100020100010100', 'hex');

/** Encodes a search for the entry with that value of the attribute. It asks for all attributes. */
export function encodeSearch(base: string, attribute: string, value: string): Buffer {
  const filter = tlv(tag.equality, octets(attribute), octets(value));
  const search = tlv(tag.request, octets(base), scope, filter, tlv(tag.sequence));
  return tlv(tag.sequence, messageId, search);
}

function octets(text: string): Buffer {
  return tlv(tag.octets, Buffer.from(text));
}

function tlv(type: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.of(type), encodeLength(content.length), content]);
}

function encodeLength(length: number): Buffer {
  return length < 0x80 ? Buffer.of(length) : Buffer.of(0x82, length >> 8, length & 0xff);
}

/**
 * Returns whether a search found exactly one entry and ended with result code 0; undefined until its answer is
 * complete. The bytes that begin a message with the id cannot occur within an entry, whose values are texts.
 */
export function foundOne(received: Buffer): boolean | undefined {
  const doneAt = received.indexOf(messageOf(tag.done));
  const length = received[doneAt + 4];
  if (doneAt === -1 || length === undefined || received.length < doneAt + 5 + length) return undefined;
  const entry = messageOf(tag.entry);
  const hasOneEntry = received.includes(entry) && received.indexOf(entry) === received.lastIndexOf(entry);
  return hasOneEntry && received[doneAt + 7] === 0;
}

/** Returns how a message of that kind begins, after its own tag and length. */
function messageOf(kind: number): Buffer {
  return Buffer.of(...messageId, kind);
}
