/** The constructs that a document may contain besides elements and text. */
const constructs = [
  { begin: '<!--', end: '-->', isText: false },
  { begin: '<![CDATA[', end: ']]>', isText: true },
  { begin: '<?', end: '?>', isText: false },
] as const;

/** Returns whether the document has only elements and text, after a declaration. */
export function isPlainXml(xml: string): boolean {
  const begin = xml.startsWith('<?xml ') ? xml.indexOf('?>') : 0;
  return begin !== -1 && (begin === 0 || xml.indexOf('<', 1) > begin) && nextConstruct(xml, begin) === -1;
}

/**
 * Removes comments, processing instructions and the declaration from a document, and writes CDATA sections as text, so
 * that everything that looks like a tag is one.
 *
 * @returns undefined for a document that has anything else, such as a document type, or that is not well-formed
 */
export function toPlainXml(xml: string): string | undefined {
  const pieces: string[] = [];
  let copied = 0;
  for (let begin = nextConstruct(xml, 0); begin !== -1; begin = nextConstruct(xml, copied)) {
    const construct = constructs.find((one) => xml.startsWith(one.begin, begin));
    if (construct === undefined) return undefined;
    const content = begin + construct.begin.length;
    const end = xml.indexOf(construct.end, content);
    if (end === -1) return undefined;
    pieces.push(xml.slice(copied, begin));
    if (construct.isText) pieces.push(escapeText(xml.slice(content, end)));
    copied = end + construct.end.length;
  }
  const plain = pieces.join('') + xml.slice(copied);
  // The texts around a removed comment may form the beginning of another one.
  return nextConstruct(plain, 0) === -1 ? plain : undefined;
}

/** Returns the place of the next `<!` or `<?`, or -1. Reads everything once, however often either occurs. */
function nextConstruct(xml: string, from: number): number {
  let place = xml.indexOf('<', from);
  while (place !== -1 && xml[place + 1] !== '!' && xml[place + 1] !== '?')
    place = xml.indexOf('<', place + 1);
  return place;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
