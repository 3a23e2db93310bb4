import assert from 'node:assert/strict';
import { test } from 'node:test';
import { charsets } from './charsets.ts';

/** Every character of the basic plane but surrogates and ASCII, and some beyond it. */
const characters = [
  ...Array.from({ length: 0xff80 }, (_, index) => index + 0x80).filter(
    (code) => code < 0xd800 || code > 0xdfff,
  ),
  ...[0x10000, 0x1f642, 0x20000, 0x10ffff],
].map((code) => String.fromCodePoint(code));

const decoders: Readonly<Record<string, readonly [label: string, characters: number]>> = {
  GBK: ['gbk', 23_900],
  GB18030: ['gb18030', 63_300],
  'windows-1252': ['windows-1252', 128],
  Big5: ['big5', 13_700],
  Shift_JIS: ['shift_jis', 9_200],
  'UTF-16 (little-endian)': ['utf-16le', 63_360],
  'UTF-16 (big-endian)': ['utf-16be', 63_360],
};

for (const [name, [label, least]] of Object.entries(decoders)) {
  test(`the decoder of ${name} reads back what its encoder writes; other characters become question marks`, () => {
    const charset = charsets.find((each) => each.name === name);
    assert.ok(charset !== undefined);
    const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: true });
    let written = 0;
    for (const character of characters) {
      const bytes = charset.encode(character);
      const text = decoder.decode(bytes);
      if (text === character) written += 1;
      else
        assert.equal(
          text,
          '?',
          `U+${character.codePointAt(0)?.toString(16)} became ${Buffer.from(bytes).toString('hex')}`,
        );
    }
    assert.ok(written >= least, String(written));
  });
}

test('bytes match those of other encoders', () => {
  const known: readonly (readonly [name: string, text: string, hex: string])[] = [
    ['GBK', 'a\0李娜€', '6100c0eec4c880'],
    ['GB18030', '€ñ🙂', 'a2e381308a3995308532'],
    ['GB18030', '\u{10000}', '90308130'],
    ['Big5', '李十', 'a7f5a451'],
    ['Shift_JIS', '漢字ｱ', '8abf8e9ab1'],
    ['ISO-8859-1 (Latin-1)', 'éÿ€', 'e9ff3f'],
    ['windows-1252', 'é€', 'e980'],
    ['US-ASCII or another charset that lacks its characters', 'é🙂', '3f3f'],
    ['UTF-16 (big-endian, with a byte order mark)', 'é', 'feff00e9'],
  ];
  for (const [name, text, hex] of known) {
    const bytes = charsets.find((each) => each.name === name)?.encode(text) ?? [];
    assert.equal(Buffer.from(bytes).toString('hex'), hex, name);
  }
});

test('what decoders of Big5 read in its later additions becomes a question mark', () => {
  const addition = new TextDecoder('big5').decode(Uint8Array.of(0x87, 0x40));
  const big5 = charsets.find(({ name }) => name === 'Big5');
  assert.deepEqual(big5?.encode(`${addition}a`), Uint8Array.of(0x3f, 0x61));
});
