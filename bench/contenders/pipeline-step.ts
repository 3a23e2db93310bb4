import { setImmediate as nextTurn } from 'node:timers/promises';
import { type OperationKey, operations } from '@fieldroster/contract';
import { signRequest } from '@fieldroster/signing';
import type { FastifyRequest } from 'fastify';
import pino from 'pino';
import { countCalls } from '../baselines/count-calls.ts';
import { countWork } from '../baselines/count-work.ts';
import type { Sample } from '../measurement.ts';
import { serverOf } from '../process/packages-of.ts';
import { serveParent } from '../process/parent.ts';
import { serverPartsOf } from '../process/server-parts.ts';
import type { StepName } from '../scenarios/pipeline-steps.ts';

/** Arguments: the checkout, the folder of a seeded directory, its credentials, and the step to repeat. */
const [root = '', folder = '', appId = '', appSecret = '', step = ''] = process.argv.slice(2);
const parts = await serverPartsOf(root);
const { openDirectory } = await serverOf(root);
const { store, vault } = await openDirectory({ data: folder, environment: {} });
const nowMs = Date.now();
const now = () => nowMs;
const applications = new parts.ApplicationDirectory(store, vault, now);
await applications.refresh();

const key: OperationKey = 'queryUser';
const operation = operations[key];
const userId = 777n;

/** More than the server keeps answers of, so that the answer of none of them is known when its turn comes. */
const differentCalls = 50_000;
const calls = Array.from({ length: differentCalls }, (_, index) => callOf(index));
const [call] = calls as [(typeof calls)[number]];
let called = 0;
const neverAborted = new AbortController().signal;
const limitRate = parts.rateLimiter(0);
const caller = parts.verifySignature(call, applications, nowMs);
const parseInput = parts.inputParser(operation);
const directory = store.directory(caller.application.tenantId);
const findUser = () => directory.findUser({ id: userId });
const user = await findUser();
if (user === undefined) throw new Error(`the directory has no user ${userId}`);
const presented = parts.presentUser(user);
const answers = new parts.AnswerCache(store, 'write');
const findAnswer = () => answers.find(call, caller);
const place = await findAnswer();
const answer = parts.presentAnswer(key, presented, user.revision);
if (place !== undefined) answers.keep(place, answer);
let log: InstanceType<typeof parts.RequestLog> | undefined;
/** Made when it is asked for: an older checkout may have none. */
const logSuccess = () => {
  log ??= openLog();
  log.success({ ...call, appId }, { id: call.requestId, receivedAtMs: performance.now() } as FastifyRequest);
};
const pipelineParts = {
  ...{ store, applications, limitRate, answers, now },
  ...{ passwords: new parts.PasswordHasher() },
  guesses: new parts.PasswordGuesses({ failures: store.passwordFailures, keyedHash: (text) => text, now }),
  replay: 'write',
} as const;

/** As many requests at once as a server under load has. */
const atOnce = 32;

type Measure = (seconds: number) => Promise<Sample>;

const made: { last?: unknown } = {};
const steps: Readonly<Record<StepName, Measure>> = {
  'verify-signature': repeated(() => parts.verifySignature(call, applications, nowMs)),
  'scope-and-rate': repeated(() => {
    parts.requireScope(operation, caller.application);
    limitRate(caller.application, nowMs);
  }),
  'known-answer': together(findAnswer),
  'parse-input': repeated(() => parseInput(call, caller.parameters)),
  'read-user': together(findUser),
  'present-user': repeated(() => parts.presentUser(user)),
  'serialize-answer': repeated(() => parts.presentAnswer(key, presented, user.revision)),
  'keep-answer': repeated(() => place && answers.keep({ ...place, key: nextCall().target }, answer)),
  'write-log-line': inTurns(logSuccess),
  'whole-pipeline': together(() => parts.runPipeline({ ...nextCall() }, pipelineParts)),
  'whole-pipeline-known': together(() => parts.runPipeline({ ...call }, pipelineParts)),
};

serveParent(undefined, steps[step as StepName]);

function openLog() {
  const logger = pino({ base: null }, parts.openLogOutput(false));
  return new parts.RequestLog({ logger, writeInfo: parts.infoWriter(logger) });
}

function callOf(index: number) {
  const [method, target] = ['GET', `/user?user_id=${userId}&unheard=${index}`] as const;
  const timestampSeconds = Math.floor(nowMs / 1000);
  const { headers } = signRequest({ appId, appSecret, method, target, timestampSeconds });
  return {
    ...{ key, operation, method, target, requestId: `bench-${index}`, body: Buffer.alloc(0) },
    ...{ authorization: headers.Authorization, timestamp: headers.Timestamp, nonce: headers.Nonce },
    ...{ contentType: undefined, contentEncoding: undefined, host: undefined },
    disconnectSignal: () => neverAborted,
  };
}

function nextCall() {
  called += 1;
  return calls[called % calls.length] ?? call;
}

/** Keeps what the work made: the compiler would else leave out what nobody looks at. */
function repeated(work: () => unknown): Measure {
  return (seconds) =>
    countCalls(seconds, () => {
      made.last = work();
    });
}

/** With a turn of the event loop now and then, in which what was gathered is written. */
function inTurns(work: () => void): Measure {
  return async (seconds) => {
    const turn = async () => {
      for (let index = 0; index < atOnce; index += 1) work();
      await nextTurn();
    };
    const { value } = await countWork(seconds, turn);
    return { value: value * atOnce };
  };
}

function together(work: () => Promise<unknown>): Measure {
  return async (seconds) => {
    const { value } = await countWork(seconds, () => Promise.all(Array.from({ length: atOnce }, work)));
    return { value: value * atOnce };
  };
}
