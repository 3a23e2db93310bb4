import { attribute, attributesOf } from './xml-attributes.ts';

const formatTag = new RegExp(String.raw`<(?:[\w.-]+:)?numFmt((?:${attribute})+)\s*/?>`, 'g');
const cellStylesTag = /<\/?(?:[\w.-]+:)?cellXfs(?=[\s>])[^>]*>/;
const styleTag = new RegExp(String.raw`<(?:[\w.-]+:)?xf((?:${attribute})*)\s*/?>`, 'g');

/**
 * How a cell shows a number otherwise than the file has it: with leading zeros, up to this many digits, or in a format
 * that adds other characters, such as `"D-"00000`.
 */
export type NumberFormat = number | string;

/**
 * Returns the styles of cells that show a number otherwise than the file has it.
 *
 * @param styles the part of a workbook that describes its styles
 */
export function numberFormats(styles: string): ReadonlyMap<string, NumberFormat> {
  const formats = new Map<string, NumberFormat>();
  for (const [, text] of styles.matchAll(formatTag)) {
    const { numFmtId = '', formatCode = '' } = attributesOf(text);
    const format = readFormat(formatCode);
    if (format !== undefined) formats.set(numFmtId, format);
  }
  const ofStyles = new Map<string, NumberFormat>();
  if (formats.size === 0) return ofStyles;
  let index = 0;
  for (const [, text] of (styles.split(cellStylesTag)[1] ?? '').matchAll(styleTag)) {
    const format = formats.get(attributesOf(text).numFmtId ?? '');
    if (format !== undefined) ofStyles.set(String(index), format);
    index += 1;
  }
  return ofStyles;
}

/** Reads the first section of a format, which positive numbers have; with a condition, all of its sections. */
function readFormat(code: string): NumberFormat | undefined {
  const sections = withoutTexts(code).split(';');
  const first = readSection(sections[0] ?? '');
  if (!/\[[<>=]/.test(code)) return first === 'otherwise' ? code : first;
  return sections.some((section) => readSection(section) !== undefined) ? code : undefined;
}

const textOrBracket = /"([^"]*)"|\\(.)|\[(\$?)([^[\]]*)\]|[_*].|General|G\/\p{L}+/gsu;

/** Replaces each text with `"`, or with a space if it is only white space, and removes what shows no character. */
function withoutTexts(code: string): string {
  return code.replaceAll(textOrBracket, (whole, quoted, escaped, sign, inBrackets) => {
    const text = quoted ?? escaped ?? (sign === '$' ? inBrackets.replace(/-.*/s, '') : undefined);
    if (text !== undefined) return text.trim() === '' ? ' '.repeat(text.length) : '"';
    if (inBrackets !== undefined) return /^[hms]+$/i.test(inBrackets) ? inBrackets : '';
    return /^G/.test(whole) ? '#' : '';
  });
}

/** Digits of which the first is always shown, so that a smaller number has zeros before it. */
const zeros = /^[#?]*(0[0#?]+)$/;

const zerosAmongOthers = /0[\s,]*[0#?]/;

function readSection(section: string): number | 'otherwise' | undefined {
  const [digits = '', ...exponent] = section.split(/E[+-]/);
  const pattern = exponent.length > 0 ? digits : section;
  // A date, or a word of another program.
  if (/\p{L}/u.test(pattern)) return undefined;
  if (/[^0#?.,%@\s]/.test(pattern)) return 'otherwise';
  const shown = zeros.exec(pattern.trim())?.[1];
  if (shown !== undefined) return shown.length;
  return zerosAmongOthers.test(pattern.replace(/\..*/s, '')) ? 'otherwise' : undefined;
}
