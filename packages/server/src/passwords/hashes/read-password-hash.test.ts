import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashProblemInEnglish } from '@fieldroster/contract/problems';
import { hashByArgon2, makeDecoyHash } from './argon2.ts';
import { PasswordHashError } from './password-hash.ts';
import { readPasswordHash, requireAcceptableHash } from './read-password-hash.ts';

const password = 'correct horse 马';
const salt = 'c2l4dGVlbiBieXRlcyBvaw';

/**
 * Known answers. Argon2: vectors of the reference implementation. scrypt and PBKDF2: computed by Python's hashlib.
 * bcrypt: computed by the C library's crypt.
 */
const known: readonly (readonly [kind: string, password: string, hash: string])[] = [
  [
    'argon2id',
    'password',
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
  ],
  [
    'argon2i',
    'password',
    '$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$wWKIMhR9lyDFvRz9YTZweHKfbftvj+qf+YFY4NeBbtA',
  ],
  ['bcrypt 2b', password, '$2b$05$abcdefghijklmnopqrstuuibKwIzcGzOGRTVXSPMGkUMsYBjljCFS'],
  ['bcrypt 2a', password, '$2a$05$abcdefghijklmnopqrstuuibKwIzcGzOGRTVXSPMGkUMsYBjljCFS'],
  ['bcrypt 2y', password, '$2y$05$abcdefghijklmnopqrstuuibKwIzcGzOGRTVXSPMGkUMsYBjljCFS'],
  ['scrypt', password, `$scrypt$ln=14,r=8,p=1$${salt}$G6q7X7LUbYShxnv4z+GUbyQYvC+DZahTO0lPg5ZLYEA`],
  [
    'pbkdf2-sha256',
    password,
    `$pbkdf2-sha256$i=30000,l=32$${salt}$jAc+kqUQU/m2eq7H4KSlP7d6lQGK9kAFeVQA8OAy880`,
  ],
  [
    'pbkdf2-sha256 as passlib writes it',
    password,
    `$pbkdf2-sha256$29000$${salt}$xKmEy6Yx5WxpGBejlCM0Y604PP1aww0z81N3zPRIeL4`,
  ],
  [
    'pbkdf2-sha512',
    password,
    `$pbkdf2-sha512$i=20000$${salt}$ye4lpdwqgwvPknmAk3B6iSCNtSp4Vy0m6FG2/MTBzgWodPZ7JtttVpboQZyp9QSXeBA8vzin+DgP3WfOHXaBog`,
  ],
];

for (const [kind, right, hash] of known) {
  test(`a known ${kind} hash matches its password, and no other`, async () => {
    const read = readPasswordHash(hash);
    assert.equal(await read.matches(right), true);
    assert.equal(await read.matches(`${right} `), false);
    assert.equal(await read.matches(''), false);
  });
}

test('only an argon2id hash of at least the current cost is kept', async () => {
  for (const [kind, , hash] of known)
    assert.equal(readPasswordHash(hash).outdated, kind !== 'argon2id', kind);
  assert.equal(readPasswordHash(await hashByArgon2('p')).outdated, false);
  const weak = (cost: string) => `$argon2id$v=19$${cost}$${salt}$${'A'.repeat(43)}`;
  assert.equal(readPasswordHash(weak('m=19455,t=2,p=1')).outdated, true);
  assert.equal(readPasswordHash(weak('m=19456,t=1,p=1')).outdated, true);
  assert.equal(readPasswordHash(weak('m=19456,t=2,p=4')).outdated, false);
});

test('a new hash matches its password; the decoy hash looks like it and matches nothing', async () => {
  assert.equal(await readPasswordHash(await hashByArgon2(password)).matches(password), true);
  const decoy = makeDecoyHash();
  assert.equal(decoy.length, (await hashByArgon2('p')).length);
  assert.equal(readPasswordHash(decoy).outdated, false);
  assert.equal(await readPasswordHash(decoy).matches(password), false);
});

test('only the first 72 bytes of a bcrypt password count, as in every implementation', async () => {
  // Computed by the C library's crypt for 72 letters.
  const hash = readPasswordHash('$2b$04$abcdefghijklmnopqrstuubzadhGtS2zEF.gu0yd0opP6cVzb.e0i');
  assert.equal(await hash.matches('x'.repeat(72)), true);
  assert.equal(await hash.matches(`${'x'.repeat(72)}and more`), true);
  assert.equal(await hash.matches('x'.repeat(71)), false);
});

const tag = 'A'.repeat(43);
/** 64 bytes. */
const longTag = 'A'.repeat(86);

const refused: readonly (readonly [label: string, hash: string, message: RegExp])[] = [
  [
    'an empty string',
    '',
    /^it must begin with \$argon2id\$, \$argon2i\$, \$2b\$ .*, \$scrypt\$, \$pbkdf2-sha256\$ or \$pbkdf2-sha512\$$/,
  ],
  ['a plain password', 'secret', /^it must begin with \$argon2id\$/],
  ['an MD5 crypt', '$1$salt$abcdefghijklmnopqrstuv', /^it must begin with \$argon2id\$/],
  ['argon2d', `$argon2d$v=19$m=19456,t=2,p=1$${salt}$${tag}`, /^argon2 must be written as/],
  ['argon2 of version 16', `$argon2id$v=16$m=19456,t=2,p=1$${salt}$${tag}`, /^argon2 must be written as/],
  [
    'argon2 with a line feed',
    `$argon2id$v=19$m=19456,t=2,p=1$${salt}$${tag}\n`,
    /hash value must be Base64 without padding; it has a character other than letters, digits, "\+", "\/" and "\."$/,
  ],
  [
    'argon2 with too much memory',
    `$argon2id$v=19$m=262145,t=2,p=1$${salt}$${tag}`,
    /^m of .* is 262145; it must be from 1 to 262144$/,
  ],
  ['argon2 with too many passes', `$argon2id$v=19$m=19456,t=11,p=1$${salt}$${tag}`, /t of .* 1 to 10$/],
  ['argon2 with too many lanes', `$argon2id$v=19$m=19456,t=2,p=17$${salt}$${tag}`, /p of .* 1 to 16$/],
  ['argon2 without passes', `$argon2id$v=19$m=19456,t=0,p=1$${salt}$${tag}`, /t of .* 1 to 10$/],
  [
    'argon2 with too little memory',
    `$argon2id$v=19$m=31,t=2,p=4$${salt}$${tag}`,
    /m of argon2 is 31 and its p is 4; m must be at least 8 times p$/,
  ],
  [
    'argon2 with a short salt',
    `$argon2id$v=19$m=19456,t=2,p=1$AAAA$${tag}`,
    /salt has 3 bytes; it must have 8 to 64$/,
  ],
  [
    'scrypt with a long salt',
    `$scrypt$ln=14,r=8,p=1$${'A'.repeat(87)}$${tag}`,
    /salt has 65 bytes; it must have 8 to 64$/,
  ],
  [
    'argon2 with a short hash',
    `$argon2id$v=19$m=19456,t=2,p=1$${salt}$AAAA`,
    /value has 3 bytes; it must have 16 to 128$/,
  ],
  [
    'pbkdf2 with padding',
    `$pbkdf2-sha256$i=1000$${salt}==$${tag}`,
    /salt must be Base64 without padding; remove each = at its end$/,
  ],
  [
    'bcrypt without its hash',
    '$2b$05$abcdefghijklmnopqrstuu',
    /^bcrypt must be written as .* has 29 characters, and must have 60$/,
  ],
  ['bcrypt of an unknown kind', `$2x$05$${'a'.repeat(53)}`, /^bcrypt must be written as/],
  [
    'bcrypt that costs too much',
    `$2b$13$${'a'.repeat(53)}`,
    /cost of bcrypt is 13; it must be from 4 to 12$/,
  ],
  [
    'bcrypt that costs too little',
    `$2b$03$${'a'.repeat(53)}`,
    /cost of bcrypt is 3; it must be from 4 to 12$/,
  ],
  ['scrypt without its numbers', `$scrypt$${salt}$${tag}`, /^scrypt must be written as/],
  [
    'scrypt with too much memory',
    `$scrypt$ln=18,r=8,p=1$${salt}$${tag}`,
    /^the memory of scrypt \(MiB, 128·r·\(N\+p\)\) is 257; it must be from 1 to 256$/,
  ],
  ['scrypt with memory by its lanes', `$scrypt$ln=1,r=8,p=999999$${salt}$${tag}`, /memory of scrypt/],
  ['scrypt with too much work', `$scrypt$ln=17,r=8,p=2$${salt}$${tag}`, /N·r·p .* 2097152; .* 1 to 1048576$/],
  [
    'scrypt with ln 0',
    `$scrypt$ln=0,r=8,p=1$${salt}$${tag}`,
    /scrypt has ln 0, r 8 and p 1; each must be at least 1$/,
  ],
  ['pbkdf2 with SHA-1', `$pbkdf2-sha1$i=1000$${salt}$${tag}`, /^pbkdf2 must be written as/],
  [
    'pbkdf2 with too many iterations',
    `$pbkdf2-sha256$i=1200001$${salt}$${tag}`,
    /is 1200001; .* 1 to 1200000$/,
  ],
  [
    'pbkdf2 with a long hash',
    `$pbkdf2-sha256$i=600001$${salt}$${longTag}`,
    /the 2 blocks .* is 1200002; .* 1 to 1200000$/,
  ],
  [
    'argon2 with too much work',
    `$argon2id$v=19$m=131073,t=2,p=1$${salt}$${tag}`,
    /^m·t .* is 262146; .* 1 to 262144$/,
  ],
  ['pbkdf2 without iterations', `$pbkdf2-sha256$i=0$${salt}$${tag}`, /1 to 1200000$/],
];

for (const [label, hash, message] of refused) {
  test(`${label} is not accepted, and the message repeats no part of it`, () => {
    assert.throws(
      () => requireAcceptableHash(hash),
      (error: unknown) => {
        assert(error instanceof PasswordHashError);
        assert.match(error.message, message);
        assert.equal(hashProblemInEnglish(error.problem), error.message);
        return !error.message.includes(salt) && !error.message.includes(tag);
      },
    );
  });
}

test('the costliest hashes within the limits are accepted, and can be checked', async () => {
  for (const hash of [
    `$argon2id$v=19$m=262144,t=1,p=16$${salt}$${tag}`,
    `$scrypt$ln=17,r=8,p=1$${salt}$${tag}`,
    `$pbkdf2-sha512$i=1200000$${salt}$${longTag}`,
    `$2b$12$${'a'.repeat(53)}`,
  ]) {
    requireAcceptableHash(hash);
    assert.equal(await readPasswordHash(hash).matches('p'), false, hash);
  }
});

test('a stored hash that costs more than a new one is allowed to can still be read', () => {
  for (const hash of [
    `$argon2id$v=19$m=262144,t=10,p=1$${salt}$${tag}`,
    `$scrypt$ln=17,r=8,p=4$${salt}$${tag}`,
    `$pbkdf2-sha256$i=2000000$${salt}$${tag}`,
    `$2b$14$${'a'.repeat(53)}`,
  ]) {
    assert.ok(readPasswordHash(hash).relativeCost > 1, hash);
    assert.throws(() => requireAcceptableHash(hash), PasswordHashError, hash);
  }
});

test('no hash costlier than earlier releases accepted is computed', () => {
  for (const hash of [
    `$2b$15$${'a'.repeat(53)}`,
    `$scrypt$ln=17,r=8,p=5$${salt}$${tag}`,
    `$pbkdf2-sha256$i=8000001$${salt}$${tag}`,
  ]) {
    assert.throws(() => readPasswordHash(hash), PasswordHashError, hash);
  }
});
