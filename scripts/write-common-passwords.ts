import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { consoleLimits } from '@fieldroster/contract/console';
import { hashBytes, hashOfPassword } from '../packages/server/src/passwords/common-password.ts';

// node --conditions=fieldroster-source scripts/write-common-passwords.ts <list>
//
// Writes the hashes of the most common passwords that an operator could choose. The list has one password a line, the
// most common first: the million passwords of 10-million-password-list-top-1000000.txt, which
// https://github.com/danielmiessler/SecLists now calls xato-net-10-million-passwords-1000000.txt.

const target = new URL('../packages/server/src/passwords/common-password-hashes.ts', import.meta.url);
const passwordsKept = 10_000;
const lineCharacters = 400;

const header = `/**
 * The first ${hashBytes} bytes of the SHA-256 of each of the ${passwordsKept.toLocaleString('en')} most common passwords
 * that are long enough for an operator, in lower case, sorted, in Base64.
 * They are hashes because many of the passwords are obscene.
 *
 * Derived by scripts/write-common-passwords.ts from SecLists (https://github.com/danielmiessler/SecLists),
 * Copyright (c) 2025 Daniel Miessler, MIT License.
 */
`;

const [list] = parseArgs({ allowPositionals: true }).positionals;
if (list === undefined) throw new Error('give the path of the list of passwords');
const lines = readFileSync(list, 'utf8').split(/\r?\n/);
const candidates = lines.filter((line) => [...line].length >= consoleLimits.operatorPasswordCharactersMin);
const passwords = [...new Set(candidates.map((line) => line.toLowerCase()))].slice(0, passwordsKept);
if (passwords.length < passwordsKept)
  throw new Error(
    `the list has ${passwords.length} passwords that are long enough; ${passwordsKept} are needed`,
  );
const hashes = passwords.map((password) => hashOfPassword(password)).sort((a, b) => a - b);
const bytes = Buffer.alloc(hashes.length * hashBytes);
for (const [index, hash] of hashes.entries()) bytes.writeUInt32BE(hash, index * hashBytes);
const text = bytes
  .toString('base64')
  .replaceAll(new RegExp(`.{${lineCharacters}}`, 'g'), '$&\n')
  .trimEnd();
writeFileSync(target, `${header}export const commonPasswordHashes = \`\n${text}\n\`;\n`);
