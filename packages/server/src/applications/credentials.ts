import { randomBytes } from 'node:crypto';
import { appIdCharactersMax } from '../database/database.ts';

/** Returns a new APPID: short enough to read out, without characters that are special in a header or a shell. */
export function newAppId(): string {
  return `fr${randomBytes(9).toString('hex')}`;
}

/** Returns a new APPSECRET: 256 random bits as hexadecimal digits. */
export function newAppSecret(): string {
  return randomBytes(32).toString('hex');
}

const appSecretCharactersMax = 512;

const appIdPattern = new RegExp(`^[!-9;-~]{1,${appIdCharactersMax}}$`);
const appSecretPattern = new RegExp(`^[^\\p{Cc}]{1,${appSecretCharactersMax}}$`, 'u');

/** Returns why a string cannot be an APPID, or `undefined` when it can. */
export function appIdProblem(appId: string): string | undefined {
  return appIdPattern.test(appId)
    ? undefined
    : `an APPID has 1 to ${appIdCharactersMax} visible ASCII characters and no colon`;
}

/** Returns why a string cannot be an APPSECRET, or `undefined` when it can. */
export function appSecretProblem(appSecret: string): string | undefined {
  return appSecretPattern.test(appSecret)
    ? undefined
    : `an APPSECRET has 1 to ${appSecretCharactersMax} characters and no control character`;
}
