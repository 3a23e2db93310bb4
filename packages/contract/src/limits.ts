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
  roleNameCharactersMax: 255,
  orgNameCharactersMax: 255,
  storeNameCharactersMax: 255,
  storeCodeCharactersMax: 100,
  addressCharactersMax: 1000,
  descriptionCharactersMax: 1000,
  roleCodeCharactersMax: 255,
  searchCharactersMax: 100,
  pageEntriesDefault: 50,
  pageEntriesMax: 500,
  batchEntriesMax: 10_000,
  storeCodesMax: 50_000,
  bodyBytesMax: 1024 * 1024,
  batchBodyBytesMax: 8 * 1024 * 1024,
  bulkBodyBytesMax: 32 * 1024 * 1024,
} as const;
