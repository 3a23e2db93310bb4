/** Environment variable of the master key: 32 bytes in Base64 or hexadecimal digits. */
export const masterKeyVariable = 'FIELDROSTER_MASTER_KEY';

/** Environment variable of the previous key, while the master key is being replaced. */
export const previousKeyVariable = 'FIELDROSTER_MASTER_KEY_PREVIOUS';

/** Name of the key file within the data folder. */
export const masterKeyFile = 'master.key';

/** Name of the previous key's file within the data folder. */
export const previousKeyFile = 'master.key.previous';
