import { attribute, attributesOf } from './xml-attributes.ts';

const formatTag = new RegExp(String.raw`<(?:[\w.-]+:)?numFmt((?:${attribute})+)\s*/?>`, 'g');
const cellStylesTag = /<\/?(?:[\w.-]+:)?cellXfs(?=[\s>])[^>]*>/;
const styleTag = new RegExp(String.raw`<(?:[\w.-]+:)?xf((?:${attribute})*)\s*/?>`, 'g');

/** A format of zeros alone, which may be followed by those of negative numbers, zero and texts. */
const zeros = /^(0{2,})(?:;|$)/;

/**
 * Returns the styles of cells that show a number with leading zeros, such as the format `00000` of postal codes, each
 * with the digits that it shows at least.
 *
 * @param styles the part of a workbook that describes its styles
 */
export function zeroPaddings(styles: string): ReadonlyMap<string, number> {
  const widths = new Map<string, number>();
  for (const [, text] of styles.matchAll(formatTag)) {
    const { numFmtId = '', formatCode = '' } = attributesOf(text);
    const shown = zeros.exec(formatCode)?.[1];
    if (shown !== undefined) widths.set(numFmtId, shown.length);
  }
  const paddings = new Map<string, number>();
  if (widths.size === 0) return paddings;
  let index = 0;
  for (const [, text] of (styles.split(cellStylesTag)[1] ?? '').matchAll(styleTag)) {
    const width = widths.get(attributesOf(text).numFmtId ?? '');
    if (width !== undefined) paddings.set(String(index), width);
    index += 1;
  }
  return paddings;
}
