import { randomBytes } from 'node:crypto';

/** Returns a new APPID: short enough to read out, without characters that are special in a header or a shell. */
export function newAppId(): string {
  return `fr${randomBytes(9).toString('hex')}`;
}

/** Returns a new APPSECRET: 256 random bits as hexadecimal digits. */
export function newAppSecret(): string {
  return randomBytes(32).toString('hex');
}

const appIdCharactersMax = 64;
const appSecretCharactersMax = 512;

/** Returns why a text cannot be an APPID, or `undefined` when it can. */
export function appIdProblem(appId: string): string | undefined {
  return /^[!-9;-~]{1,64}$/.test(appId)
    ? undefined
    : `an APPID has 1 to ${appIdCharactersMax} visible ASCII characters and no colon`;
}

/** Returns why a text cannot be an APPSECRET, or `undefined` when it can. */
export function appSecretProblem(appSecret: string): string | undefined {
  return /^[^\p{Cc}]{1,512}$/u.test(appSecret)
    ? undefined
    : `an APPSECRET has 1 to ${appSecretCharactersMax} characters and no control character`;
}
