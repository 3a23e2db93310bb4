import { parsePrintableJson } from '../../json/exact-json.ts';
import { SlicedJson } from '../../json/sliced-json.ts';
import { concatInSlices } from '../../slices/concat-in-slices.ts';
import { encodeInSlices } from '../../slices/encode-in-slices.ts';
import type { TimeSlice } from '../../slices/time-slice.ts';

/** Texts of up to this many characters are parsed in one go. */
const parsedAtOnceMax = 64 * 1024;

/** The server made the text itself, within the limits of requests. */
const unlimited = {
  levelsMax: Number.POSITIVE_INFINITY,
  valuesMax: Number.POSITIVE_INFINITY,
  namesMax: Number.POSITIVE_INFINITY,
  nameBytesMax: Number.POSITIVE_INFINITY,
  tokenBytesMax: Number.POSITIVE_INFINITY,
};

/** Parses JSON that the database holds or makes, like {@link parsePrintableJson} but in slices of time. */
export async function parseStoredJson(json: string | Uint8Array, timeSlice: TimeSlice): Promise<unknown> {
  if (typeof json === 'string' && json.length <= parsedAtOnceMax) return parsePrintableJson(json);
  const bytes =
    typeof json === 'string' ? await concatInSlices(await encodeInSlices(json, timeSlice), timeSlice) : json;
  const { buffer, byteOffset, byteLength } = bytes;
  const sliced = new SlicedJson(Buffer.from(buffer, byteOffset, byteLength), unlimited, {
    parse: parsePrintableJson,
  });
  while (!sliced.readSlice()) if (timeSlice.isOver()) await timeSlice.next();
  return sliced.value;
}
