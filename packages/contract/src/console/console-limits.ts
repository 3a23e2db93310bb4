/** The console's limits. Lengths count Unicode characters; times are in seconds. */
export const consoleLimits = {
  operatorNameCharactersMax: 100,
  operatorPasswordCharactersMin: 12,
  operatorPasswordCharactersMax: 200,
  sessionIdleSeconds: 12 * 3600,
  sessionSecondsMax: 7 * 24 * 3600,
  linkSeconds: 3600,
  /** A change older than this is refused, because the server can no longer know whether it is new. */
  changeAgeSecondsMax: 60,
  changeAheadSecondsMax: 60,
  applicationNameCharactersMax: 255,
  tenantNameCharactersMax: 100,
  changedUsersMax: 1000,
  changedStoresMax: 1000,
  /** Stores that the users of one change have, and those that they get, added up. */
  storesOfChangeMax: 200_000,
  /** A user's stores are counted up to this number; for more, the answer says only that there are more. */
  countedStoresMax: 1000,
  allowedAddressesMax: 100,
  rateLimitMax: 1_000_000,
  /** How long a rotated secret may stay valid. */
  oldSecretSecondsMax: 30 * 24 * 3600,
  /** More representatives of a store are not counted for the list of stores. */
  representativesCountedMax: 100,
} as const;
