/** The encodings that spreadsheet programs write, by their names in the Encoding Standard. */
export const encodingNames: Readonly<Record<string, string>> = {
  'utf-8': 'UTF-8',
  gb18030: 'GB18030 (GBK)',
  'windows-1252': 'Windows-1252 (Latin-1)',
  big5: 'Big5',
  shift_jis: 'Shift JIS',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16 BE',
};

/** Names an encoding as the page lets the reader choose it. */
export function nameOfEncoding(encoding: string): string {
  return encodingNames[encoding.toLowerCase()] ?? encoding;
}
