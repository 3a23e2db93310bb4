import { keptDirectory, keptFieldroster } from '../contenders/fieldroster.ts';
import { Program } from '../contenders/program.ts';
import { revalued } from '../contenders/revalued.ts';
import type { Bench, Contender, Scenario, Subject } from '../measurement.ts';
import { neverRepeated } from './operation-traffic.ts';
import { queryUserTraffic } from './query-user.ts';

export type StepName = keyof typeof titles;

/** What a query goes through, in this order, and then all of it but HTTP and the log line. */
const titles = {
  'verify-signature': 'verify the signature',
  'scope-and-rate': 'require the scope, limit the rate',
  'known-answer': 'find an answer that is known',
  'parse-input': 'parse the input',
  'read-user': 'read the user from SQLite',
  'present-user': 'present the user',
  'serialize-answer': 'serialize the answer',
  'keep-answer': 'keep the answer',
  'write-log-line': 'write the log line',
  'whole-pipeline': 'the pipeline as a whole',
  'whole-pipeline-known': 'the pipeline as a whole, the answer known',
} as const;

/** What each step of a query costs, as a share of the processor time of a whole request over HTTP. */
export const pipelineSteps: readonly Scenario[] = (Object.keys(titles) as StepName[]).map((step) => ({
  name: `step-${step}`,
  title: `step: ${titles[step]}`,
  comparedTo: 'GET /user, processor time',
  unit: 'µs',
  better: 'lower',
  group: 'steps',
  plan: { rounds: 3, seconds: 1, warmUpSeconds: 1 },
  measured: (bench, subject) => stepAlone(bench, subject, step),
  reference: wholeRequest,
}));

async function stepAlone(bench: Bench, subject: Subject, step: StepName): Promise<Contender> {
  const { folder, appId, appSecret } = await keptDirectory(bench, subject);
  const args = [subject.root, folder, appId, appSecret, step];
  const program = await Program.start('contenders/pipeline-step.ts', args, bench.cores.server);
  return revalued(program, ({ value }) => 1e6 / value);
}

async function wholeRequest(bench: Bench, subject: Subject): Promise<Contender> {
  const server = await keptFieldroster(bench, subject, ({ users }) => neverRepeated(queryUserTraffic(users)));
  return revalued(server, ({ value, cpuShare = Number.NaN }) => (1e6 * cpuShare) / value);
}
