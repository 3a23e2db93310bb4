type None = Readonly<Record<string, never>>;

type Part = 'salt' | 'hash value';

/** The English name of each parameter that makes checking a password cost time or memory. */
const costNames = {
  argon2Work: 'm·t of argon2 (KiB)',
  argon2Memory: 'm of argon2 (KiB)',
  argon2Passes: 't of argon2',
  argon2Lanes: 'p of argon2',
  bcryptCost: 'the cost of bcrypt',
  scryptWork: 'N·r·p of scrypt',
  scryptMemory: 'the memory of scrypt (MiB, 128·r·(N+p))',
  pbkdf2Iterations: 'the iteration count of pbkdf2',
};

export type HashCost = keyof typeof costNames;

/**
 * Why a password hash is not accepted: the English sentence of each reason, after "password_hash is not accepted:". The
 * console has the other languages, by the same keys.
 */
export const hashProblemTexts = {
  unknownKind: (_: None) =>
    'it must begin with $argon2id$, $argon2i$, $2b$ (or $2a$, $2y$), $scrypt$, $pbkdf2-sha256$ or $pbkdf2-sha512$',
  argon2Form: (_: None) => 'argon2 must be written as $argon2id$v=19$m=…,t=…,p=…$salt$hash, or argon2i',
  bcryptForm: ({ characters, needed }: { readonly characters: number; readonly needed: number }) =>
    `bcrypt must be written as $2b$, $2a$ or $2y$, two digits of cost, $, and 53 letters, digits, dots or slashes; this one has ${characters} characters, and must have ${needed}`,
  scryptForm: (_: None) => 'scrypt must be written as $scrypt$ln=…,r=…,p=…$salt$hash',
  pbkdf2Form: (_: None) => 'pbkdf2 must be written as $pbkdf2-sha256$i=…$salt$hash, or pbkdf2-sha512',
  padded: ({ part }: { readonly part: Part }) =>
    `its ${part} must be Base64 without padding; remove each = at its end`,
  notBase64: ({ part }: { readonly part: Part }) =>
    `its ${part} must be Base64 without padding; it has a character other than letters, digits, "+", "/" and "."`,
  wrongLength: ({ part, bytes, min, max }: OfLength) =>
    `its ${part} has ${bytes} bytes; it must have ${min} to ${max}`,
  scryptParameters: ({ ln, r, p }: { readonly ln: number; readonly r: number; readonly p: number }) =>
    `scrypt has ln ${ln}, r ${r} and p ${p}; each must be at least 1`,
  littleMemory: ({ m, p }: { readonly m: number; readonly p: number }) =>
    `m of argon2 is ${m} and its p is ${p}; m must be at least 8 times p`,
  costOutOfRange: ({ cost, blocks, value, min = 1, max }: OfCost) =>
    `${costNames[cost]}${timesBlocks(blocks)} is ${value}; it must be from ${min} to ${max}`,
};

interface OfLength {
  readonly part: Part;
  readonly bytes: number;
  readonly min: number;
  readonly max: number;
}

interface OfCost {
  readonly cost: HashCost;
  /** A factor of the cost: how many blocks of the digest's length the hash value has. */
  readonly blocks?: number;
  readonly value: number;
  /** 1 if left out. */
  readonly min?: number;
  readonly max: number;
}

function timesBlocks(blocks = 1): string {
  return blocks === 1 ? '' : `, times the ${blocks} blocks of its hash value,`;
}

export type HashProblemTexts = typeof hashProblemTexts;

/** Why a password hash is not accepted, as data. It repeats no part of the hash. */
export type HashProblem = {
  [Key in keyof HashProblemTexts]: {
    readonly key: Key;
    readonly values: Parameters<HashProblemTexts[Key]>[0];
  };
}[keyof HashProblemTexts];

/** Writes a reason in the language of the texts; returns `undefined` for one that they do not have. */
export function describeHashProblem(
  texts: HashProblemTexts,
  { key, values }: HashProblem,
): string | undefined {
  if (!Object.hasOwn(texts, key)) return undefined;
  return (texts[key] as (values: HashProblem['values']) => string)(values);
}

/** Returns the English sentence of a reason. */
export function hashProblemInEnglish(problem: HashProblem): string {
  return describeHashProblem(hashProblemTexts, problem) ?? problem.key;
}
