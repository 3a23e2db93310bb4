import { fromUtf8 } from './text-forms.ts';

/** The largest body, in bytes, that is parsed: the work is done for callers whose signature is wrong. */
export const reserialisedBytesMax = 64 * 1024;

/**
 * Returns the body as other JSON writers would produce it, and with its outer white space changed. Returns none
 * when it is not JSON or is longer than {@link reserialisedBytesMax}.
 */
export function reserialisedBodies(body: Uint8Array): readonly string[] {
  if (body.length > reserialisedBytesMax) return [];
  const text = fromUtf8(body);
  if (text === undefined) return [];
  try {
    return [...new Set([text.trim(), `${text}\n`, ...written(JSON.parse(text))])];
  } catch {
    // Not JSON, or nested too deeply to serialise.
    return [];
  }
}

/**
 * Returns the default output of common languages: compact, Python's spacing, indented, escaped, with sorted
 * keys.
 */
function written(value: unknown): readonly string[] {
  const compact = JSON.stringify(value);
  const spaced = spaceOut(value);
  const sorted = sortKeys(value);
  return [
    compact,
    spaced,
    escapeBeyondAscii(spaced),
    escapeBeyondAscii(compact),
    // PHP also escapes the solidus; Go escapes the characters special to HTML.
    escapeBeyondAscii(compact).replaceAll('/', '\\/'),
    compact.replaceAll(/[<>&]/g, escapeUnit),
    JSON.stringify(value, null, 2),
    JSON.stringify(value, null, 4),
    JSON.stringify(sorted),
    spaceOut(sorted),
    escapeBeyondAscii(spaceOut(sorted)),
  ];
}

/** Serialises as Python does, with one space after each comma and colon. */
export function spaceOut(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaceOut).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${spaceOut(member)}`);
  return `{${members.join(', ')}}`;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, sortKeys(member)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function escapeBeyondAscii(json: string): string {
  return json.replaceAll(/[^\0-~]/g, escapeUnit);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
