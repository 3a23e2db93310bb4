import { isUtf8 } from 'node:buffer';

/** Why a packet cannot be parsed again with an escaped target. */
export type RawTargetFault = 'not-utf8' | 'not-at-start' | 'no-slash';

// If the parser fails inside the target of such a line at the start of a packet, the request starts there too. The line
// cannot contain the rest of an earlier request, and none of these methods is the end of another method's name.
const requestLine = /^((?:GET|POST|PUT|DELETE) )(\/[!-~\x80-\xff]*)( HTTP\/1\.[01]\r?)$/;

const lineWithoutSlash = /^[A-Z]+ [^/\s][!-~\x80-\xff]* HTTP\/1\.[01]\r?$/;

const lineFeed = 0x0a;

/**
 * Percent-encodes each byte above 0x7F in the target of the request that a packet starts with.
 * Changes nothing else, so the packet has the same requests, headers and bodies as before.
 *
 * @param packet what arrived, with the byte that the parser refused
 * @param errorOffset position of that byte
 * @returns the packet to parse instead;
 * `'not-at-start'` when the refused request does not start the packet or its line is incomplete;
 * `'not-utf8'` when its target is not UTF-8; `'no-slash'` when that begins with neither a slash nor a scheme
 */
export function escapeRawTarget(packet: Buffer, errorOffset: number): Buffer | RawTargetFault {
  const lineEnd = packet.indexOf(lineFeed, errorOffset);
  if (lineEnd === -1) return 'not-at-start';
  const text = packet.toString('latin1', 0, lineEnd);
  const line = requestLine.exec(text);
  if (line === null) return lineWithoutSlash.test(text) ? 'no-slash' : 'not-at-start';
  const [, method = '', target = '', version = ''] = line;
  if (!isUtf8(Buffer.from(target, 'latin1'))) return 'not-utf8';
  const escaped = target.replaceAll(/[\x80-\xff]/g, escapeByte);
  return Buffer.concat([Buffer.from(method + escaped + version, 'latin1'), packet.subarray(lineEnd)]);
}

function escapeByte(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase()}`;
}
