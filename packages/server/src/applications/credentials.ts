import { randomBytes } from 'node:crypto';

/** A fresh APPID: short enough to read out, without characters that a header or a shell minds. */
export function newAppId(): string {
  return `fr${randomBytes(9).toString('hex')}`;
}

/** A fresh APPSECRET: 256 random bits as hexadecimal digits. */
export function newAppSecret(): string {
  return randomBytes(32).toString('hex');
}

const appIdCharactersMax = 64;
const appSecretCharactersMax = 512;

/** Says what keeps a text from being an APPID, or returns `undefined`. */
export function appIdProblem(appId: string): string | undefined {
  return /^[!-9;-~]{1,64}$/.test(appId)
    ? undefined
    : `an APPID has 1 to ${appIdCharactersMax} visible ASCII characters and no colon`;
}

/** Says what keeps a text from being an APPSECRET, or returns `undefined`. */
export function appSecretProblem(appSecret: string): string | undefined {
  return /^[^\p{Cc}]{1,512}$/u.test(appSecret)
    ? undefined
    : `an APPSECRET has 1 to ${appSecretCharactersMax} characters and no control character`;
}
