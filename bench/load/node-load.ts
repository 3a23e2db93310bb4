import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Load, LoadRequest, LoadResult } from '../measurement.ts';
import { pinned } from '../process/pinned.ts';

const run = promisify(execFile);
const script = fileURLToPath(new URL('./generate-load.ts', import.meta.url));

/**
 * Generates load with Node.js where wrk is not installed, and for servers that speak LDAP. It needs more of its core for a request than wrk
 * does; the report says when it, and not the server, was the limit.
 */
export function nodeLoad(core: string | undefined): Load {
  return {
    name: 'node',
    async run(request: LoadRequest): Promise<LoadResult> {
      const node = [...process.execArgv, script, JSON.stringify(request)];
      const [command, args] = pinned(core, process.execPath, node);
      const { stdout } = await run(command, args);
      return JSON.parse(stdout) as LoadResult;
    },
  };
}
