import type { Load } from '../measurement.ts';
import { OptionError } from '../options.ts';
import { nodeLoad } from './node-load.ts';
import { wrk, wrkIsThere } from './wrk.ts';

/** The generator asked for; without a wish wrk, or our own where wrk is not installed. */
export async function chooseLoad(name: string | undefined, core: string | undefined): Promise<Load> {
  if (name !== undefined && name !== 'wrk' && name !== 'node') {
    throw new OptionError('--load must be wrk or node');
  }
  const chosen = name ?? ((await wrkIsThere()) ? 'wrk' : 'node');
  return chosen === 'wrk' ? wrk(core) : nodeLoad(core);
}
