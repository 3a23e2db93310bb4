import type { AnswerReader, Encoder } from './requests.ts';

/** The BER tags of a search (RFC 4511). */
const tag = { octets: 0x04, sequence: 0x30, request: 0x63, entry: 0x64, done: 0x65, equality: 0xa3 } as const;

/** All searches share this id, because a connection sends one at a time. */
const messageId = Buffer.from('020101', 'hex');

/** The whole subtree, aliases never followed, no limit of size or time, and values as well as types. */
const scope = Buffer.from('0a01020a0100020100020100010100', 'hex');

/** Searches for the entry whose attribute equals the request's target, and asks for all attributes. */
export function inLdap(base: string, attribute: string): Encoder {
  return ({ target }) => {
    const filter = tlv(tag.equality, octets(attribute), octets(target));
    const search = tlv(tag.request, octets(base), scope, filter, tlv(tag.sequence));
    return tlv(tag.sequence, messageId, search);
  };
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

/** Accepts a search that found exactly one entry and ended with result code 0. */
export const readLdapAnswer: AnswerReader = (received) => {
  let entries = 0;
  for (let at = 0; ; ) {
    const message = elementAt(received, at);
    if (message === undefined) return undefined;
    const id = elementAt(received, message.start);
    const answer = id && elementAt(received, id.end);
    if (message.type !== tag.sequence || answer === undefined) return false;
    if (answer.type === tag.entry) entries += 1;
    else return answer.type === tag.done && entries === 1 && resultOf(received, answer.start) === 0;
    at = message.end;
  }
};

function resultOf(received: Buffer, at: number): number | undefined {
  const code = elementAt(received, at);
  return code && received[code.start];
}

/** The element that begins there; undefined until all of it has arrived. */
function elementAt(received: Buffer, at: number) {
  const [type, first] = [received[at], received[at + 1]];
  if (type === undefined || first === undefined) return undefined;
  const more = first < 0x80 ? 0 : first & 0x7f;
  const start = at + 2 + more;
  if (start > received.length) return undefined;
  const length = more === 0 ? first : received.readUIntBE(at + 2, more);
  const end = start + length;
  return end > received.length ? undefined : { type, start, end };
}
