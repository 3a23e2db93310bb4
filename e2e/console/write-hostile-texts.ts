import assert from 'node:assert/strict';
import type { Credentials, SignedClient } from '../signed-client.ts';
import type { ConsolePage } from './console-page.ts';

/** Encodes only what no request line can hold, as an attacker would. */
export function asSent(text: string): string {
  return text.replaceAll(/[ %#]/g, encodeURIComponent);
}

/** Creates a user, a role, an organization and a store with the text in every field, and returns the user's id. */
export async function writeEverywhere(client: SignedClient, text: string): Promise<number> {
  const role = await succeed(client, '/role', { name: text, description: text, code: text });
  const org = await succeed(client, '/org', { name: text });
  await succeed(client, '/store', { code: text, name: text, address: text });
  const password = 'a password';
  const fields = { real_name: text, nickname: text, email: text, phone: text, department: text };
  const more = { avatar: text, unique_code: text };
  const user = await succeed(client, '/user', { username: text, password, ...fields, ...more });
  await succeed(client, '/user/stores', { username: text, ext_info: text, store_codes: [text] });
  const userId = Number(user.id);
  await succeed(client, '/user/role', { user_id: userId, role_id: Number(role.id) });
  await succeed(client, '/user/org', { user_id: userId, org_id: Number(org.id) });
  return userId;
}

async function succeed(client: SignedClient, target: string, body: object) {
  const { code, message, data } = await client.call('POST', target, body);
  assert.equal(code, 0, `${target}: ${message}`);
  return data ?? {};
}

/** Leaves a failed call with the text in its path and, if wrongly signed, in the string that the server signed. */
export async function failWith(client: SignedClient, text: string, isSignedRight: boolean): Promise<void> {
  const target = `/user?username=${asSent(text)}!`;
  const signed = client.sign('GET', isSignedRight ? target : '/user?username=a');
  const { code } = await client.send({ ...signed, target });
  assert.equal(code, isSignedRight ? 1101 : 1014);
}

/** Issues an application that may change everything, in the console. */
export async function issueManager(opened: ConsolePage, name: string): Promise<Credentials> {
  const { page } = opened;
  await opened.goTo('applications');
  await page.getByRole('button', { name: 'Issue application' }).click();
  await page.getByLabel('Name').fill(name);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Manage' }).check();
  await dialog.getByRole('button', { name: 'Issue application' }).click();
  const appId = await page.getByRole('textbox', { name: 'APPID' }).inputValue();
  const appSecret = await page.getByRole('textbox', { name: 'APPSECRET' }).inputValue();
  await page.getByRole('button', { name: 'I have stored it' }).click();
  return { appId, appSecret };
}
