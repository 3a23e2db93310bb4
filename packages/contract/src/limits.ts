/**
 * Every published limit. Lengths count Unicode characters (code points), never bytes.
 * Source: the interface's tables of fields and limits; `email` and `phone` have none there.
 */
export const limits = {
  timestampSkewSeconds: 60,
  nonceCharactersMax: 36,
  usernameCharactersMax: 50,
  realNameCharactersMax: 100,
  passwordCharactersMax: 200,
  nicknameCharactersMax: 100,
  emailCharactersMax: 255,
  phoneCharactersMax: 255,
  departmentCharactersMax: 100,
  avatarCharactersMax: 250,
  uniqueCodeCharactersMax: 50,
  extInfoCharactersMax: 1000,
  bodyBytesMax: 1024 * 1024,
  batchBodyBytesMax: 8 * 1024 * 1024,
} as const;
