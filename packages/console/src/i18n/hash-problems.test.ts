import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HashProblem, Problem } from '@fieldroster/contract/problems';
import { sayProblem } from './say-problem.ts';
import { zh } from './zh.ts';

function say(hash: HashProblem): string | undefined {
  const problem: Problem = { key: 'refusedHash', values: { field: 'users[3].password_hash', hash } };
  return sayProblem(zh, { message: 'English', problem });
}

test('the reason why a password hash is refused is in Chinese', () => {
  for (const [hash, reason] of [
    [
      { key: 'unknownKind', values: {} },
      '开头必须是 $argon2id$、$argon2i$、$2b$（或 $2a$、$2y$）、$scrypt$、$pbkdf2-sha256$ 或 $pbkdf2-sha512$。',
    ],
    [{ key: 'padded', values: { part: 'salt' } }, '盐值必须是不带填充的 Base64，请去掉末尾的“=”。'],
    [
      { key: 'costOutOfRange', values: { cost: 'argon2Memory', value: 262_145, max: 262_144 } },
      'argon2 的参数 m（内存，KiB）是 262,145，必须在 1 到 262,144 之间。',
    ],
    [
      { key: 'costOutOfRange', values: { cost: 'bcryptCost', value: 13, min: 4, max: 12 } },
      'bcrypt 的成本系数是 13，必须在 4 到 12 之间。',
    ],
    [
      {
        key: 'costOutOfRange',
        values: { cost: 'pbkdf2Iterations', blocks: 2, value: 1_200_002, max: 1_200_000 },
      },
      'pbkdf2 的迭代次数（乘以哈希值的 2 个分组）是 1,200,002，必须在 1 到 1,200,000 之间。',
    ],
  ] as const)
    assert.equal(say(hash), `密码哈希无法使用。${reason}`);
});

test('a refused hash whose reason is unknown here, as of a newer server, is said without it', () => {
  assert.equal(say({ key: 'newer', values: {} } as unknown as HashProblem), '密码哈希无法使用。');
});
