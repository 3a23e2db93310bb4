import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { strToU8, Zip, ZipDeflate, ZipPassThrough, zipSync } from 'fflate';
import { claimSize } from '../../test/claim-size.ts';
import { openArchive } from './open-archive.ts';

const text = 'a,b\n'.repeat(10_000);

function readAll(archive: Uint8Array): Record<string, string> {
  const parts = openArchive(archive, () => true);
  return Object.fromEntries([...parts].map(([name, unpack]) => [name, Buffer.from(unpack()).toString()]));
}

describe('parts are read as any program may have written them', () => {
  test('packed, stored, empty, and with a name beyond ASCII', () => {
    const archive = zipSync({
      'packed.xml': strToU8(text),
      'stored.xml': [strToU8(text), { level: 0 }],
      'empty.xml': new Uint8Array(),
      '员工.xml': strToU8('x'),
    });
    assert.deepEqual(readAll(archive), {
      'packed.xml': text,
      'stored.xml': text,
      'empty.xml': '',
      '员工.xml': 'x',
    });
  });

  test('written piece by piece, with the sizes behind the content', () => {
    const pieces: Uint8Array[] = [];
    const zip = new Zip((_error, piece) => pieces.push(piece));
    for (const part of [new ZipDeflate('packed.xml'), new ZipPassThrough('stored.xml')]) {
      zip.add(part);
      part.push(strToU8(text), true);
    }
    zip.end();
    assert.deepEqual(readAll(Buffer.concat(pieces)), { 'packed.xml': text, 'stored.xml': text });
  });

  test('behind a comment, in a view of a larger buffer', () => {
    const archive = zipSync({ 'a.xml': strToU8(text) });
    const comment = Buffer.from('PK a comment of a program');
    const whole = Buffer.concat([Buffer.alloc(7), archive, comment]);
    whole.writeUInt16LE(comment.length, 7 + archive.length - 2);
    assert.deepEqual(readAll(whole.subarray(7)), { 'a.xml': text });
  });

  test('in the format for large archives', () => {
    assert.deepEqual(readAll(toLargeFormat(zipSync({ 'a.xml': strToU8(text) }))), { 'a.xml': text });
  });
});

for (const [label, name, archive] of [
  ['less', 'packed.xml', claimSize(zipSync({ 'packed.xml': strToU8(text) }), 'packed.xml', 8)],
  ['more', 'packed.xml', claimSize(zipSync({ 'packed.xml': strToU8(text) }), 'packed.xml', 99_999)],
  [
    'less, although it is stored,',
    'stored.xml',
    claimSize(zipSync({ 'stored.xml': [strToU8(text), { level: 0 }] }), 'stored.xml', 8),
  ],
] as const)
  test(`a part with ${label} than the archive says is refused`, () => {
    assert.throws(() => readAll(archive), { message: `${name} has another content than the archive says` });
  });

test('a part whose content was changed is refused', () => {
  const archive = zipSync({ 'stored.xml': [strToU8('13800138000'), { level: 0 }] });
  archive[Buffer.from(archive).indexOf('138')] = '2'.charCodeAt(0);
  assert.throws(() => readAll(archive), /^Error: stored\.xml has another content than the archive says/);
});

test('a part packed in another way is refused by its name', () => {
  const archive = Buffer.from(zipSync({ 'a.xml': strToU8(text) }));
  archive.writeUInt16LE(9, archive.indexOf('PK\x01\x02') + 10);
  assert.throws(() => readAll(archive), { message: 'a.xml is packed by method 9, which is not supported' });
});

test('a part that is not wanted is not unpacked', () => {
  const archive = claimSize(zipSync({ 'a.xml': strToU8(text), 'b.png': strToU8(text) }), 'b.png', 8);
  const wanted = openArchive(archive, ({ name }) => name === 'a.xml');
  assert.deepEqual([...wanted.keys()], ['a.xml']);
});

test('an archive without its end is refused', () => {
  const archive = zipSync({ 'a.xml': strToU8(text) });
  for (const cut of [archive.subarray(0, -30), archive.subarray(0, 3), new Uint8Array()])
    assert.throws(() => readAll(cut), { message: 'it is not an archive, or its end is missing' });
});

test('an archive with more entries than its end counts is refused, and loses no part', () => {
  const archive = Buffer.from(zipSync({ 'a.xml': strToU8(text), 'b.xml': strToU8(text) }));
  archive.writeUInt16LE(1, archive.length - 14);
  assert.throws(() => readAll(archive), RangeError);
});

test('an entry, or a part, that does not begin like one is refused', () => {
  for (const signature of ['PK\x01\x02', 'PK\x03\x04']) {
    const archive = Buffer.from(zipSync({ 'a.xml': strToU8(text) }));
    archive.write('XX', archive.indexOf(signature), 'latin1');
    assert.throws(() => readAll(archive), signature);
  }
});

test('a comment may look like the end of the archive', () => {
  const comment = Buffer.from('PK\x05\x06, and 20 more characters.');
  const archive = Buffer.concat([zipSync({ 'a.xml': strToU8(text) }), comment]);
  archive.writeUInt16LE(comment.length, archive.length - comment.length - 2);
  assert.deepEqual(readAll(archive), { 'a.xml': text });
});

test('a workbook with a password, or of the format before .xlsx, is named', () => {
  const compound = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(512)]);
  assert.throws(() => readAll(compound), {
    message: /^it is protected by a password, or has the format of \.xls$/,
  });
});

/** Moves the numbers of an archive of one part to where large archives have them. */
function toLargeFormat(archive: Uint8Array): Buffer {
  const small = Buffer.from(archive);
  const directory = small.indexOf('PK\x01\x02');
  const nameEnd = directory + 46 + small.readUInt16LE(directory + 28);
  const extra = Buffer.alloc(36);
  // Another program's field comes first.
  extra.writeUInt16LE(0x5455, 0);
  extra.writeUInt16LE(4, 2);
  extra.writeUInt16LE(1, 8);
  extra.writeUInt16LE(24, 10);
  for (const [index, at] of [24, 20, 42].entries()) {
    extra.writeBigUInt64LE(BigInt(small.readUInt32LE(directory + at)), 12 + index * 8);
    small.writeUInt32LE(0xffff_ffff, directory + at);
  }
  small.writeUInt16LE(extra.length, directory + 30);
  const entry = Buffer.concat([small.subarray(directory, nameEnd), extra]);
  const largeEnd = Buffer.alloc(56);
  largeEnd.writeUInt32LE(0x06064b50, 0);
  largeEnd.writeBigUInt64LE(1n, 32);
  largeEnd.writeBigUInt64LE(BigInt(directory), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(directory + entry.length), 8);
  const end = Buffer.alloc(22, 0xff);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(0, 20);
  return Buffer.concat([small.subarray(0, directory), entry, largeEnd, locator, end]);
}
