import { element, table } from './element.ts';

export interface SignedParts {
  readonly method: string;
  /** `undefined` when Content-MD5 is not part of the string to sign. */
  readonly contentMd5: string | undefined;
  readonly Timestamp: string;
  readonly Nonce: string;
  readonly canonicalResource: string;
}

/**
 * Lists the lines of a string to sign with their names. Takes the parts instead of splitting the string at line feeds,
 * because a decoded parameter may contain one.
 */
export function signedPartsTable({
  method,
  contentMd5,
  Timestamp,
  Nonce,
  canonicalResource,
}: SignedParts): HTMLElement {
  const parts = [
    ['Method', method],
    ...(contentMd5 === undefined ? [] : [['Content-MD5', contentMd5]]),
    ['Timestamp', Timestamp],
    ['Nonce', Nonce],
    ['CanonicalizedResource', canonicalResource],
  ];
  const rows = parts.map(([name = '', value = '']) =>
    element('tr', {}, element('th', { scope: 'row' }, name), element('td', {}, element('code', {}, value))),
  );
  return table('String to sign', ['Part', 'Value'], rows);
}
