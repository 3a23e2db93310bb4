import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { NginxProcess, nginxIsInstalled } from '../deploy/nginx-process.ts';
import { provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { KeepAliveLoad } from './keep-alive-load.ts';

const sizes = atScale({ bounded: [300], full: [800, 8_000] });
const requests = atScale({ bounded: 600, full: 100_000 });

for (const clients of sizes) {
  const missing = whatIsMissing(clients);
  if (missing !== undefined) {
    console.error(`NOT TESTED: ${clients} connections through deploy/nginx.conf, because ${missing}`);
    continue;
  }
  test(`${clients} keep-alive clients read and write through deploy/nginx.conf, and no request fails`, async (t) => {
    const directory = await provisionDirectory(1);
    t.after(() => directory.remove());
    // By default the servers would refuse so many busy clients. These servers let them wait for a minute.
    const flags = ['--overload-wait', '60000'];
    const nodes = [
      await ServerProcess.start(directory, ...flags),
      await ServerProcess.start(directory, ...flags),
    ] as const;
    for (const node of nodes) t.after(() => node.kill());
    const proxy = await NginxProcess.start([nodes[0].port, nodes[1].port]);
    t.after(() => proxy.stop());
    const load = KeepAliveLoad.start({ ...directory, port: proxy.port, clients });
    t.after(() => load.stop());
    await load.untilMore(requests);
    await load.assertNoneFailed(t);
    assert.equal(load.connections, clients, 'no connection was lost');
  });
}

function whatIsMissing(clients: number): string | undefined {
  if (!nginxIsInstalled()) return 'nginx is not installed';
  // One worker of nginx may hold every client's connection, and a connection to a node for each.
  const needed = clients * 2 + 1_000;
  const limit = execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).trim();
  if (limit === 'unlimited' || Number(limit) >= needed) return undefined;
  return `a process may open ${limit} files here, and nginx needs ${needed} (ulimit -Hn)`;
}
