import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits, profileTexts } from '@fieldroster/contract';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';
import { issueManager } from './issue-manager.ts';
import { joinOperator } from './join-operator.ts';
import { LongestWait, wordsOf } from './longest-wait.ts';

const userCount = atScale({ bounded: 1_000, full: 20_000 });
const storeCount = atScale({ bounded: 1_000, full: 20_000 });
/** The index reads as many users in one statement. Fewer would not take long. */
const indexedCount = atScale({ bounded: 0, full: 250_000 });
const usersAtOnce = 10_000;
const storesAtOnce = 5_000;

/** Letters of two cases: the search index has the first pair, and does not know those of the second. */
const letters = { indexed: ['a', 'b'], 'not indexed': ['ꙁ', 'ꙃ'] } as const;

/** A text that begins like the search text at every place, and has each of its trigrams, but not the text itself. */
function almost([letter, last]: readonly [string, string], length: number): string {
  return (letter + letter + last).padEnd(length, letter);
}

function searched([letter, last]: readonly [string, string]): string {
  return letter.repeat(limits.searchCharactersMax - 1) + last;
}

/** The same for a text that a code of a user can have. */
function searchedShort([letter, last]: readonly [string, string]): string {
  return letter.repeat(profileTexts.unique_code.charactersMax - 1) + last;
}

/** A search text of trigrams that are all different. */
const manyTrigrams = textOfManyTrigrams(limits.searchCharactersMax);

function textOfManyTrigrams(length: number): string {
  let text = '';
  for (let seed = 7; text.length < length; ) {
    seed = (seed * 16_807) % 2_147_483_647;
    const longer = text + (seed % 36).toString(36);
    if (longer.length < 3 || !text.includes(longer.slice(-3))) text = longer;
  }
  return text;
}

// SQLite only, because PostgreSQL searches in processes of its own.
test('no search keeps another client waiting', async (t) => {
  const directory = await provisionDirectory(1);
  const manager = await issueManager(directory);
  const server = await ServerProcess.start(directory);
  const client = new SignedClient(server.url, manager);
  const waits = new LongestWait(server);
  try {
    await fill(client);
    const browser = await joinOperator(server, directory);
    const tooLong: string[] = [];
    await waits.learnIdle();
    const watch = async (name: string, searching: Promise<unknown>) => {
      const longest = await waits.during(searching);
      t.diagnostic(`figure: ${wordsOf(longest)}, ${name}`);
      if (waits.isTooLong(longest)) tooLong.push(`${name}: ${wordsOf(longest)}`);
    };
    const reader = new SignedClient(server.url, directory.credentials);
    for (const [name, pair] of Object.entries(letters)) {
      const text = encodeURIComponent(searched(pair));
      const users = reader.call('GET', `/users?limit=500&search=${text}`);
      await watch(`users, ${name}`, users);
      assert.equal((await users).code, 0);
      const short = encodeURIComponent(searchedShort(pair));
      const matching = reader.call('GET', `/users?limit=500&search=${short}`);
      await watch(`users that match, ${name}`, matching);
      assert.ok(((await matching).data as { users: unknown[] }).users.length > 0);
      await watch(`stores, ${name}`, browser.succeed('GET', `/tenants/1/find-stores?search=${text}`));
    }
    const trigrams = reader.call('GET', `/users?limit=500&search=${manyTrigrams}`);
    await watch('users, many trigrams', trigrams);
    assert.equal((await trigrams).code, 0);
    reader.close();
    assert.deepEqual(tooLong, []);
  } finally {
    waits.close();
    client.close();
    await server.kill();
    await directory.remove();
  }
});

async function fill(client: SignedClient): Promise<void> {
  for (const [name, pair] of Object.entries(letters)) {
    await createUsers(client, userCount, (index) => ({
      username: `${name}-${index}`,
      real_name: almost(pair, profileTexts.real_name.charactersMax),
      nickname: almost(pair, profileTexts.nickname.charactersMax),
      email: almost(pair, profileTexts.email.charactersMax),
      phone: almost(pair, profileTexts.phone.charactersMax),
      // A few match the short text, in the column that is searched last.
      unique_code: index % 10 === 0 ? searchedShort(pair) : '',
    }));
    const stores = Array.from({ length: storeCount }, (_, index) => ({
      code: `${name}-${index}`,
      name: almost(pair, limits.storeNameCharactersMax),
      address: almost(pair, limits.addressCharactersMax),
    }));
    for (let start = 0; start < stores.length; start += storesAtOnce) {
      const { code, message } = await client.call('POST', '/stores', {
        stores: stores.slice(start, start + storesAtOnce),
      });
      assert.equal(code, 0, message);
    }
  }
  // Each user has all trigrams but the last, or only that one.
  const texts = [manyTrigrams.slice(0, -1), manyTrigrams.slice(-3)];
  await createUsers(client, indexedCount, (index) => ({
    username: `trigrams-${index}`,
    email: texts[index % 2],
  }));
}

async function createUsers(client: SignedClient, count: number, userOf: (index: number) => object) {
  for (let start = 0; start < count; start += usersAtOnce) {
    const size = Math.min(usersAtOnce, count - start);
    const users = Array.from({ length: size }, (_, index) => userOf(start + index));
    const { code, message } = await client.call('POST', '/users/batch', { users });
    assert.equal(code, 0, message);
  }
}
