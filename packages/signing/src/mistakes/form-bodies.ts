import { escapeBeyondAscii, spaceOut } from './reserialised-bodies.ts';
import { fromUtf8 } from './text-forms.ts';

/** The largest form that is read, in bytes: the work is done for callers whose signature is wrong. */
const bytesMax = 4 * 1024;

/** An integer that JSON writes with the same digits. */
const integer = /^(?:0|-?[1-9]\d{0,14})$/;

/**
 * Returns the JSON objects that a body sent as a form (`a=1&b=2`) may have been before an HTTP library encoded it. Returns
 * none for any other body.
 */
export function objectsOfForm(body: Uint8Array): readonly string[] {
  const text = body.length > bytesMax ? undefined : fromUtf8(body);
  if (text === undefined || !text.includes('=') || /[\s{"]/.test(text)) return [];
  const values = [...new URLSearchParams(text)];
  const numbers = values.map(([name, value]) => [name, integer.test(value) ? Number(value) : value] as const);
  const objects = [Object.fromEntries(values), Object.fromEntries(numbers)];
  return objects.flatMap((object) => {
    const spaced = spaceOut(object);
    return [JSON.stringify(object), spaced, escapeBeyondAscii(spaced)];
  });
}
