import { createHash, createHmac } from 'node:crypto';
import { runInNewContext } from 'node:vm';

/** A request as a tool sends it, after its script has signed it. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A request as it is written in a tool, with the values that the script takes from the tool. */
export interface Draft {
  readonly method: string;
  readonly url: string;
  readonly body: string;
  readonly variables: ReadonlyMap<string, string>;
  readonly nonce: string;
  /** Milliseconds since the Unix epoch; the current time by default. */
  readonly nowMs?: number;
}

/** Runs a script as a tool does: with `require` and the tool's own objects, without Node.js. */
export function runScript(script: string, { nonce, nowMs }: Draft, objects: Record<string, unknown>): void {
  const modules: Record<string, unknown> = { 'crypto-js': cryptoJs, uuid: { v4: () => nonce } };
  const require = (name: string) => {
    if (!(name in modules)) throw new Error(`the sandbox has no module ${name}`);
    return modules[name];
  };
  const clock = { now: () => nowMs ?? Date.now() };
  runInNewContext(script, { require, Date: clock, ...objects });
}

/** Replaces variables the way both tools do: an unknown one stays as it is. */
export function replaceVariables(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replace(/\{\{([^{}]+)\}\}/g, (whole, name: string) => variables.get(name) ?? whole);
}

const base64 = Symbol('CryptoJS.enc.Base64');

/** The part of crypto-js that the scripts call, built on node:crypto. Like crypto-js, it encodes text as UTF-8. */
const cryptoJs = {
  enc: { Base64: base64 },
  MD5: (text: string) => words(createHash('md5').update(text, 'utf8').digest()),
  HmacSHA256: (text: string, key: string) => words(createHmac('sha256', key).update(text, 'utf8').digest()),
};

function words(digest: Buffer) {
  return { toString: (encoding?: symbol) => digest.toString(encoding === base64 ? 'base64' : 'hex') };
}
