import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { whyGuessable, wordsOfProduct } from './guessable-password.ts';

test('passwords that many people choose are common, in any case', () => {
  const common = [
    '1qaz2wsx3edc',
    'qwertyqwerty',
    '123456789qwe',
    '123456123456',
    'administrator',
    'justinbieber',
  ];
  for (const password of [...common, 'QwertyQwerty', 'JustinBieber'])
    assert.equal(whyGuessable(password, []), 'common', password);
});

test('a password of the username, the product or a tenant, with decoration, is easy to guess', () => {
  const names = ['mara.okafor', 'Acme Retail'];
  const guessable = [
    'fieldroster1',
    'Fieldroster-2026!',
    'FIELDROSTERFIELDROSTER',
    'mara.okafor1',
    'Okafor--Okafor',
    'mara2026mara2026',
    'acme-retail-acme',
    'Acme2026!Console',
    'fieldrostersummer',
    'retail 1234567890123',
  ];
  for (const password of guessable)
    assert.equal(whyGuessable(password, names), 'words of the context', password);
});

test('other forms of the same letters, and characters that nobody sees, hide no such password', () => {
  const common = [
    'qwertyqwerty ',
    '  qwertyqwerty',
    'ｑｗｅｒｔｙｑｗｅｒｔｙ',
    'qwerty\u200Bqwerty',
    'Qwértyqwerty',
  ];
  for (const password of [...common, ' '.repeat(12), '\u200B'.repeat(12), '\u3000'.repeat(20)])
    assert.equal(whyGuessable(password, []), 'common', JSON.stringify(password));
  const names = ['José Müller', '김철수'];
  const guessable = [
    'ｆｉｅｌｄｒｏｓｔｅｒ１',
    'f\u200Bieldrosterfieldroster',
    'Fïeldröster-cönsole',
    'jose-muller-jose',
    'Jose\u0301-Mu\u0308ller-2026',
    '김철수김철수김철수김철수',
    '김철수2026김철수'.normalize('NFD'),
  ];
  for (const password of guessable)
    assert.equal(whyGuessable(password, names), 'words of the context', JSON.stringify(password));
});

test('a password of unrelated words is not easy to guess, even with one of those words', () => {
  const names = ['mo', 'mara.okafor', 'default'];
  const good = [
    'correct horse battery staple',
    'another long passphrase of mara',
    'the okafor family likes herring',
    'fields of gold and rosters of ink',
    'V7#kq9!mZ2px',
    '一二三四五六七八九十百千',
    'mo mo mo mo mo mo',
  ];
  for (const password of good) assert.equal(whyGuessable(password, names), undefined, password);
});

test('the words that a password may not be made of are documented, and no others', () => {
  const page = readFileSync(new URL('../../../../docs/console.md', import.meta.url), 'utf8');
  const [, list = ''] = /^- (`fieldroster`[^.]*)\./m.exec(page) ?? [];
  const documented = [...list.matchAll(/`(\w+)`/g)].map(([, word]) => word);
  assert.deepEqual(documented, wordsOfProduct);
});
