/**
 * Every published limit except the lengths of a profile's texts, which `profileTexts` has. Lengths count Unicode
 * characters (code points), never bytes. Source: the interface's tables of fields and limits; they have none for `email`
 * and `phone`.
 */
export const limits = {
  timestampSkewSeconds: 60,
  nonceCharactersMax: 36,
  usernameCharactersMax: 50,
  passwordCharactersMax: 200,
  extInfoCharactersMax: 1000,
  roleNameCharactersMax: 255,
  orgNameCharactersMax: 255,
  /** Levels of a tree of organizations that operations may build. */
  orgLevelsMax: 100,
  storeNameCharactersMax: 255,
  storeCodeCharactersMax: 100,
  addressCharactersMax: 1000,
  descriptionCharactersMax: 1000,
  roleCodeCharactersMax: 255,
  searchCharactersMax: 100,
  pageEntriesDefault: 50,
  pageEntriesMax: 500,
  batchEntriesMax: 10_000,
  batchPasswordsMax: 1000,
  /** The most stores that one batch may take away, summed over the users who end up with fewer. */
  batchStoresTakenMax: 200_000,
  passwordHashCharactersMax: 512,
  storeCodesMax: 50_000,
  forcedUnbindsMax: 50_000,
  bodyBytesMax: 1024 * 1024,
  batchBodyBytesMax: 8 * 1024 * 1024,
  bulkBodyBytesMax: 32 * 1024 * 1024,
  bodyLevelsMax: 1000,
  bodyValuesMax: 100_000,
  batchBodyValuesMax: 200_000,
  bulkBodyValuesMax: 4_000_000,
  bodyNamesMax: 10_000,
  /** V8 finds a name of more than 16,383 characters among others of its length by comparing it with each of them. */
  bodyNameBytesMax: 4 * 1024,
  bodyTokenBytesMax: 1024 * 1024,
} as const;
