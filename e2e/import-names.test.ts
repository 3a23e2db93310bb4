import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { describeOnEachEngine } from './each-engine.ts';
import { collectResult, expectFieldroster, spawnFieldroster } from './fieldroster-command.ts';
import type { Provisioned } from './provision-directory.ts';
import { ServerProcess } from './server-process.ts';
import { SignedClient } from './signed-client.ts';

/** More than two pages of a list. */
const branches = 1200;

describeOnEachEngine((provision) => {
  let directory: Provisioned;
  let server: ServerProcess;
  let client: SignedClient;

  before(async () => {
    directory = await provision(1);
    const orgs = Array.from({ length: branches }, (_, index) => [
      `${1000 + 2 * index},Filiale ${index} Köln,${index % 2 === 0 ? 21 : 22}`,
      `${1001 + 2 * index},Verkauf,${1000 + 2 * index}`,
    ]);
    const file = join(directory.folder, 'orgs.csv');
    await writeFile(file, `id,name,parent_id\n${orgs.flat().join('\n')}\n`);
    await expectFieldroster('org', 'import', file, ...directory.flags);
    server = await ServerProcess.start(directory);
    client = new SignedClient(server.url, directory.credentials);
  });

  after(async () => {
    client?.close();
    await server?.kill();
    await directory?.remove();
  });

  async function bindingsOf(username: string): Promise<unknown[]> {
    const { code, data } = await client.call('GET', `/user?username=${username}`);
    if (code !== 0) return [code];
    const { roles, orgs } = data as { roles: { id: number }[]; orgs: { id: number }[] };
    return [roles[0]?.id, orgs[0]?.id];
  }

  test('user import finds the roles and organizations that the file names on every page of the lists', async () => {
    const last = branches - 1;
    const rows = [
      `named.first,ROLE 11,filiale 0 ko\u0308ln`,
      `named.last,role 13,Filiale ${last} Köln`,
      `named.path,12,Organization 22 / Filiale ${last} Köln / VERKAUF`,
      `named.many,,Verkauf`,
      `named.none,Role 14,21`,
    ];
    const file = join(directory.folder, 'staff.csv');
    await writeFile(file, `username,role,organization\n${rows.join('\n')}\n`);
    const { appId, appSecret } = directory.credentials;
    const { exitCode, stderr } = await collectResult(
      spawnFieldroster(['user', 'import', file], {
        FIELDROSTER_URL: server.url,
        FIELDROSTER_APP_ID: appId,
        FIELDROSTER_APP_SECRET: appSecret,
      }),
    );
    assert.equal(exitCode, 1, stderr);
    assert.deepEqual(await bindingsOf('named.first'), [11, 1000]);
    assert.deepEqual(await bindingsOf('named.last'), [13, 1000 + 2 * last]);
    assert.deepEqual(await bindingsOf('named.path'), [12, 1001 + 2 * last]);
    assert.deepEqual(await bindingsOf('named.many'), [1101]);
    assert.deepEqual(await bindingsOf('named.none'), [1101]);
    const result = await readFile(`${file}.result.csv`, 'utf8');
    assert.match(
      result,
      /^5,named\.many,failed,,"1200 organizations are called ""Verkauf""; enter the id or the path of one: 1001 \(Organization 21 \/ Filiale 0 Köln \/ Verkauf\), 1003 .* and 1190 more"$/m,
    );
    assert.match(result, /^6,named\.none,failed,,"no role is called ""Role 14""; /m);
  });
});
