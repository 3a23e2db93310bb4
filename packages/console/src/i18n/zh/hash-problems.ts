import type { HashCost, HashProblemTexts } from '@fieldroster/contract/problems';
import { written } from '../written.ts';

const parts = { salt: '盐值', 'hash value': '哈希值' } as const;

const costs: Readonly<Record<HashCost, string>> = {
  argon2Work: 'argon2 的 m·t（KiB）',
  argon2Memory: 'argon2 的参数 m（内存，KiB）',
  argon2Passes: 'argon2 的参数 t（轮数）',
  argon2Lanes: 'argon2 的参数 p（通道数）',
  bcryptCost: 'bcrypt 的成本系数',
  scryptWork: 'scrypt 的计算量（N·r·p）',
  scryptMemory: 'scrypt 所需的内存（MiB，128·r·(N+p)）',
  pbkdf2Iterations: 'pbkdf2 的迭代次数',
};

/** 密码哈希为何不被接受。 */
export const hashProblems: HashProblemTexts = {
  unknownKind: () =>
    '开头必须是 $argon2id$、$argon2i$、$2b$（或 $2a$、$2y$）、$scrypt$、$pbkdf2-sha256$ 或 $pbkdf2-sha512$。',
  argon2Form: () => 'argon2 应写作 $argon2id$v=19$m=…,t=…,p=…$salt$hash，也可以用 argon2i。',
  bcryptForm: ({ characters, needed }) =>
    `bcrypt 应写作 $2b$、$2a$ 或 $2y$，后接两位数字的成本系数、$，以及 53 个字母、数字、点或斜杠，共 ${needed} 个字符，现有 ${written(characters)} 个。`,
  scryptForm: () => 'scrypt 应写作 $scrypt$ln=…,r=…,p=…$salt$hash。',
  pbkdf2Form: () => 'pbkdf2 应写作 $pbkdf2-sha256$i=…$salt$hash，也可以用 pbkdf2-sha512。',
  padded: ({ part }) => `${parts[part]}必须是不带填充的 Base64，请去掉末尾的“=”。`,
  notBase64: ({ part }) => `${parts[part]}必须是不带填充的 Base64，只能含有字母、数字、“+”、“/”和“.”。`,
  wrongLength: ({ part, bytes, min, max }) =>
    `${parts[part]}有 ${written(bytes)} 字节，必须是 ${min} 到 ${max} 字节。`,
  scryptParameters: ({ ln, r, p }) => `scrypt 的 ln 是 ${ln}，r 是 ${r}，p 是 ${p}，三者都至少须为 1。`,
  littleMemory: ({ m, p }) => `argon2 的 m 是 ${written(m)}，p 是 ${p}，m 至少须为 p 的 8 倍。`,
  costOutOfRange: ({ cost, blocks = 1, value, min = 1, max }) =>
    `${costs[cost]}${blocks === 1 ? '' : `（乘以哈希值的 ${blocks} 个分组）`}是 ${written(value)}，必须在 ${min} 到 ${written(max)} 之间。`,
};
