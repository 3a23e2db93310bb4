/** The tag of a row or a cell. The second group is missing if its attributes are not in the usual form. */
export const tag =
  /<(?:[\w.-]+:)?(row|c)(?:((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*\/?>|(?=[\s/>]))/g;

export const placeAttributes = /\sr\s*=\s*["'][^"']*["']/g;

const placeText = /["'](?:([A-Z]{1,3})(\d{1,7})|(\d{1,7}))["']$/;

/** The place of a cell, or of the first cell of a row. Both numbers begin with 1. */
interface Place {
  readonly row: number;
  readonly column: number;
}

/** Reads the attribute that places a row or a cell; returns `undefined` for one that is not in the usual form. */
export function placeOf(attribute: string): Place | undefined {
  const place = placeText.exec(attribute);
  return place === null
    ? undefined
    : { row: Number(place[2] ?? place[3]), column: columnNumber(place[1] ?? 'A') };
}

/**
 * Gives each cell without a place the one after the cell before it, as other programs do: the format lets a cell leave
 * it out, but the reader needs it.
 *
 * @param sheet a sheet whose tags were checked
 */
export function fillPlaces(sheet: Uint8Array): Uint8Array {
  let [row, column] = [0, 0];
  const filled = new TextDecoder()
    .decode(sheet)
    .replaceAll(tag, (whole: string, kind: string, attributes: string) => {
      const place = placeOf(attributes.match(placeAttributes)?.[0] ?? '');
      if (kind === 'row') {
        [row, column] = [place?.row ?? row + 1, 0];
        return whole;
      }
      column = place?.column ?? column + 1;
      if (place !== undefined) return whole;
      const end = whole.search(/[\s/>]/);
      return `${whole.slice(0, end)} r="${lettersOf(column)}${row}"${whole.slice(end)}`;
    });
  return new TextEncoder().encode(filled);
}

/** Converts a column's letters: `A` is 1, `Z` 26, `AA` 27. */
function columnNumber(letters: string): number {
  let number = 0;
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}

function lettersOf(column: number): string {
  let letters = '';
  for (let left = column; left > 0; left = Math.floor((left - 1) / 26)) {
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters;
  }
  return letters;
}
