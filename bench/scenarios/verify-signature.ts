import { Program } from '../contenders/program.ts';
import type { Scenario } from '../measurement.ts';

/** A POST with a body of 60 bytes; the other side computes its MD5 and HMAC and does nothing else. */
export const verifySignature: Scenario = {
  name: 'verify-signature',
  title: 'verifyRequest, POST',
  comparedTo: 'its one MD5 and one HMAC-SHA256',
  unit: 'requests/s',
  better: 'higher',
  measured: (bench, { root }) => Program.start('contenders/verify-alone.ts', [root], bench.cores.server),
  reference: (bench) => Program.start('baselines/md5-and-hmac.ts', [], bench.cores.server),
};
