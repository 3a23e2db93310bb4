import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { settings as english } from '../../packages/console/src/i18n/en/settings.ts';
import { settings as chinese } from '../../packages/console/src/i18n/zh/settings.ts';
import { listFiles } from '../list-files.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Collapses line breaks, because a sentence of a document may be broken anywhere. */
const sentencesOf = (path: string) => read(path).replaceAll(/\s+/g, ' ');

/** Returns a number that a source file gives a name, such as `const queuedMax = 50;` or `network: 60,`. */
function constantOf(path: string, name: string): number {
  const [, factors] =
    new RegExp(`\\b${name}(?: =|:) ([\\d_]+(?:(?: \\* | \\*\\* )[\\d_]+)*)(?=[;,]| \\})`, 'm').exec(
      read(path),
    ) ?? [];
  assert.ok(factors, `${path} gives no number the name ${name}`);
  const [base = '', exponent] = factors.replaceAll('_', '').split(' ** ');
  if (exponent !== undefined) return Number(base) ** Number(exponent);
  return base.split(' * ').reduce((product, factor) => product * Number(factor), 1);
}

const digits = (value: number) => value.toLocaleString('en');
const inSeconds = (ms: number) => digits(ms / 1000);
const inKib = (bytes: number) => digits(bytes / 1024);
const inMib = (bytes: number) => digits(bytes / 1024 / 1024);

const words = (
  'no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
  'eighteen nineteen twenty'
).split(' ');

/** Writes a small number as the documents do. */
function word(value: number): string {
  const written = words[value];
  assert.ok(written, `${value} has no word`);
  return written;
}

const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

const limitsOfContract = 'packages/contract/src/limits.ts';
const server = 'packages/server/src';
const interfacePage = 'docs/interface.md';
const operating = 'docs/operating.md';
const monitoring = 'docs/monitoring.md';
const scaling = 'docs/scaling.md';
const doctor = 'docs/doctor.md';
const backup = 'docs/backup.md';
const keys = 'docs/keys.md';
const consolePage = 'docs/console.md';
const importing = 'docs/importing-users.md';
const runbook = 'docs/runbook.md';
const overload = 'decisions/019-refuse-what-cannot-be-done-in-time.md';

/** A document's sentence about a constant: the document, and its words for the value. */
type Sentence = readonly [document: string, says: (value: number) => string];

/** Constants, and the sentences with them. `interface-example.test.ts` checks the lengths of fields. */
const facts: readonly (readonly [source: string, name: string, ...sentences: Sentence[]])[] = [
  [limitsOfContract, 'bodyBytesMax', [interfacePage, (bytes) => `| every other | ${inMib(bytes)} MiB |`]],
  [limitsOfContract, 'orgLevelsMax', [interfacePage, (levels) => `A tree has at most ${levels} levels;`]],
  [
    limitsOfContract,
    'batchBodyBytesMax',
    [interfacePage, (bytes) => `| \`POST /user/stores\` | ${inMib(bytes)} MiB |`],
  ],
  [
    limitsOfContract,
    'bulkBodyBytesMax',
    [interfacePage, (bytes) => `| \`POST /stores\` | ${inMib(bytes)} MiB |`],
    [scaling, (bytes) => `which is ${inMib(bytes)} MiB for batches of users and stores`],
  ],
  [limitsOfContract, 'storeCodesMax', [interfacePage, (n) => `1 user, ${digits(n)} store codes`]],
  [limitsOfContract, 'forcedUnbindsMax', [interfacePage, (n) => `for at most ${digits(n)} users`]],
  [limitsOfContract, 'batchEntriesMax', [interfacePage, (n) => `takes up to ${digits(n)} stores at once`]],
  [
    limitsOfContract,
    'batchPasswordsMax',
    [interfacePage, (n) => `10,000 users, ${n} of them with a password`],
  ],
  [
    limitsOfContract,
    'batchStoresTakenMax',
    [interfacePage, (n) => `One request takes at most ${digits(n)} stores away from all its users together`],
  ],
  [
    limitsOfContract,
    'bodyLevelsMax',
    [interfacePage, (n) => `levels of arrays and objects | ${digits(n)} |`],
  ],
  [limitsOfContract, 'bodyValuesMax', [interfacePage, (n) => `arrays and objects included | ${digits(n)};`]],
  [limitsOfContract, 'batchBodyValuesMax', [interfacePage, (n) => `${digits(n)} on \`/user/stores\``]],
  [limitsOfContract, 'bulkBodyValuesMax', [interfacePage, (n) => `${digits(n)} on \`/users/batch\``]],
  [limitsOfContract, 'bodyNamesMax', [interfacePage, (n) => `names in one object | ${digits(n)} |`]],
  [
    limitsOfContract,
    'bodyNameBytesMax',
    [interfacePage, (bytes) => `bytes of one name | ${inKib(bytes)} KiB |`],
  ],
  [
    limitsOfContract,
    'bodyTokenBytesMax',
    [interfacePage, (bytes) => `one number, or string with escapes | ${inMib(bytes)} MiB |`],
  ],
  [limitsOfContract, 'pageEntriesMax', [interfacePage, (n) => `from 1 to ${n}, or 50 if you leave it out`]],
  [limitsOfContract, 'pageEntriesDefault', [interfacePage, (n) => `or ${n} if you leave it out`]],
  [
    `${server}/http/limits/limit-unanswered.ts`,
    'queuedMax',
    [interfacePage, (n) => `at most ${n} may wait on a connection behind the one that is being answered`],
    [operating, (n) => `at most ${n} requests wait behind the one that is being answered`],
    ['SECURITY.md', (n) => `begins at most ${n + 1} requests of a connection`],
    ['docs/errors.md', (n) => `more than ${n} requests wait on one connection`],
  ],
  [
    `${server}/http/parsing/client-error.ts`,
    'requestTimeoutMs',
    [interfacePage, (ms) => `time for a request to arrive | ${inSeconds(ms)} seconds`],
    [operating, (ms) => `A whole request has ${inSeconds(ms)} seconds to arrive`],
  ],
  [
    `${server}/http/body/arrival-watch.ts`,
    'windowMs',
    [interfacePage, (ms) => `measured over ${word(ms / 1000)} seconds`],
    [operating, (ms) => `slower than that over ${word(ms / 1000)} seconds`],
  ],
  [
    `${server}/http/body/arrival-watch.ts`,
    'bytesPerSecondMin',
    [interfacePage, (bytes) => `at ${inKib(bytes)} KiB a second or more`],
    [operating, (bytes) => `at least ${inKib(bytes)} KiB a second`],
  ],
  [
    `${server}/http/body/body-budget.ts`,
    'waitMsMax',
    [interfacePage, (ms) => `some of them wait up to ${inSeconds(ms)} seconds`],
    [operating, (ms) => `A larger body waits up to ${inSeconds(ms)} seconds for memory`],
  ],
  [
    `${server}/http/body/body-memory.ts`,
    'smallBodyBytesMax',
    [operating, (bytes) => `reserved for bodies up to ${inKib(bytes)} KiB`],
  ],
  [
    `${server}/http/body/small-bodies.ts`,
    'bytesPerMsMin',
    [operating, (bytes) => `arrived at less than ${bytes} KB a second so far gives way`],
  ],
  [
    `${server}/http/body/request-body.ts`,
    'discardedBytesMax',
    ['decisions/006-read-oversized-bodies.md', (bytes) => `discards up to ${inMib(bytes)} MiB more`],
  ],
  [
    `${server}/http/log/refusal-budget.ts`,
    'refusalLinesMax',
    [operating, (n) => `logs at most ${n} of them in ten seconds`],
  ],
  [
    `${server}/logging/log-output.ts`,
    'waitingBytesMax',
    [operating, (bytes) => `up to ${inMib(bytes)} MB in each process`],
  ],
  [
    `${server}/logging/log-output.ts`,
    'endWaitMs',
    [operating, (ms) => `waits at most ${word(ms / 1000)} seconds for the rest`],
  ],
  [
    `${server}/passwords/password-guesses.ts`,
    'failuresOfUserMax',
    [operating, (n) => `**${capitalized(word(n))} within a minute for one username.**`],
    ['SECURITY.md', (n) => `${capitalized(word(n))} wrong passwords a minute`],
    [consolePage, (n) => `${capitalized(word(n))} wrong passwords within a minute lock the account`],
  ],
  [
    `${server}/passwords/password-guesses.ts`,
    'failuresOfApplicationMax',
    [operating, (n) => `**${n} within a minute by one application.**`],
  ],
  [
    `${server}/passwords/password-guesses.ts`,
    'first',
    [operating, (ms) => `a first failure by ${word(ms / 1000)} second,`],
  ],
  [
    `${server}/passwords/password-guesses.ts`,
    'repeated',
    [operating, (ms) => `further failures and 1429 by ${word(ms / 1000)}.`],
  ],
  [`${server}/fairness/tar-pit.ts`, 'heldMax', [operating, (n) => `holds back at most ${digits(n)} answers`]],
  [`${server}/passwords/hashes/hash-limits.ts`, 'argon2Passes', [interfacePage, (n) => `\`t\` ${n}, \`p\``]],
  [
    'packages/contract/src/console/console-limits.ts',
    'allowedAddressesMax',
    [operating, (n) => `IPv4 or IPv6, at most ${n};`],
  ],
  [
    `${server}/database/queries/audit-retention.ts`,
    'purgedAtOnce',
    [operating, (n) => `deletes ${n} at a time`],
  ],
  [
    `${server}/database/sqlite/files/database-health.ts`,
    'freeBytesMin',
    [operating, (bytes) => `less than ${inMib(bytes)} MB is free on the disk`],
  ],
  [
    `${server}/pipeline/failures/mismatch-help.ts`,
    'helpMsPerSecond',
    [operating, (ms) => `about a ${1000 / ms === 20 ? 'twentieth' : `${1000 / ms}th`} of one core`],
  ],
  [
    `${server}/call-records/failure-limits.ts`,
    'all',
    [monitoring, (n) => `at most ${n} failed calls a minute`],
  ],
  [
    `${server}/call-records/failure-limits.ts`,
    'unverified',
    [monitoring, (n) => `At most ${n} of them may come from callers that did not prove their APPID`],
  ],
  [
    `${server}/call-records/failure-limits.ts`,
    'network',
    [monitoring, (n) => `at most ${n} of those 300 from one address`],
  ],
  [
    `${server}/call-records/failure-limits.ts`,
    'kind',
    [monitoring, (n) => `At most ${n} may share an application, operation and code`],
  ],
  [
    `${server}/call-records/call-recorder.ts`,
    'failuresMax',
    [monitoring, (n) => `The newest ${digits(n)} calls of proven callers and ${digits(n)} of others`],
  ],
  [
    `${server}/call-records/call-recorder.ts`,
    'failuresKeptDays',
    [monitoring, (n) => `failed calls for ${n} days`],
    ['docs/protection.md', (n) => `operators only; without bodies and secrets | ${n} days |`],
  ],
  [
    `${server}/call-records/call-recorder.ts`,
    'purgeIntervalMs',
    [
      monitoring,
      (ms) => `older ones are deleted every ${ms === 60_000 ? 'minute' : `${word(ms / 60_000)} minutes`}`,
    ],
  ],
  [
    `${server}/database/queries/bookkeeping/call-records.ts`,
    'waitingFailuresMax',
    [monitoring, (n) => `up to ${digits(n)} failed calls wait`],
  ],
  [
    `${server}/database/postgres/postgres-database.ts`,
    'bookkeepingIntervalMs',
    [monitoring, (ms) => `at most one transaction every ${word(ms / 1000)} seconds`],
  ],
  [
    `${server}/database/sqlite/bookkeeping/damaged-files.ts`,
    'keptMax',
    [monitoring, (n) => `keeps the ${word(n)} newest such files`],
  ],
  [
    `${server}/console/daily-counts.ts`,
    'keptDays',
    [monitoring, (n) => `A count is kept for ${word(n)} days`],
  ],
  [
    `${server}/admin/audit-trail.ts`,
    'usersShownMax',
    [monitoring, (n) => `up to ${n} of the users who look after the store`],
  ],
  [
    `${server}/metrics/event-loop.ts`,
    'windowMs',
    [monitoring, (ms) => `how late timers ran in the last ${inSeconds(ms)} seconds`],
  ],
  [
    `${server}/applications/process-place.ts`,
    'goneAfterMs',
    [keys, (ms) => `stops counting after ${inSeconds(ms)} seconds`],
  ],
  [
    `${server}/admin/keys/reseal.ts`,
    'batchValues',
    [keys, (n) => `secrets are resealed, ${n} in a transaction`],
  ],
  [
    `${server}/admin/backup/backup-schedule.ts`,
    'retryMsMax',
    [backup, (ms) => `tries again after ${word(ms / 60_000)} minutes`],
  ],
  [
    `${server}/admin/backup/backup-schedule.ts`,
    'leaseMs',
    [backup, (ms) => `at least ${word(ms / 60_000)} minutes after the process last reported`],
  ],
  [
    `${server}/admin/doctor/examine.ts`,
    'lockWaitMs',
    [doctor, (ms) => `gives up a check that waits ${inSeconds(ms)} s for a lock`],
  ],
  [
    `${server}/admin/doctor/check-sync-latency.ts`,
    'syncs',
    [doctor, (n) => `the median of ${word(n)} synced writes`],
  ],
  [`${server}/admin/doctor/check-sync-latency.ts`, 'slowMs', [doctor, (ms) => `A warning from ${ms} ms`]],
  [
    `${server}/admin/doctor/check-backup.ts`,
    'oldAfterMs',
    [doctor, (ms) => `a warning from ${ms / 3_600_000} hours`],
  ],
  [
    `${server}/admin/doctor/check-disk-space.ts`,
    'roomOfBackup',
    [doctor, (n) => `below ${word(n)} times the size of the database`],
    [backup, (n) => `up to ${word(n)} times the database's size`],
  ],
  [
    `${server}/database/claims.ts`,
    'warnMs',
    [doctor, (ms) => `a warning from ${inSeconds(ms)} s, an error`],
    [scaling, (ms) => `Beyond ${inSeconds(ms)} s it logs a warning`],
  ],
  [
    `${server}/database/claims.ts`,
    'readyMs',
    [doctor, (ms) => `an error from ${inSeconds(ms)} s)`],
    [scaling, (ms) => `beyond ${inSeconds(ms)} s it is not ready`],
    [operating, (ms) => `accepts writes again within ${60 + ms / 1000} seconds`],
    [backup, (ms) => `all claims up to ${60 + ms / 1000} seconds after the restore`],
  ],
  [
    `${server}/upkeep/claims-upkeep.ts`,
    'intervalMs',
    ['decisions/003-one-claim-row-per-write.md', (ms) => `purged every ${word(ms / 1000)} seconds`],
    [scaling, (ms) => `its clock and the database's every ${word(ms / 1000)} seconds`],
  ],
  [
    `${server}/database/queries/inspection/orphans.ts`,
    'pageRows',
    [doctor, (n) => `reads pages of ${digits(n)} rows`],
  ],
  [
    `${server}/database/postgres/connections/fair-connections.ts`,
    'standingPerConnection',
    [scaling, (n) => `fills only its own queue: ${n} calls for each connection`],
    [overload, (n) => `| PostgreSQL connections, for each application | ${n} for each connection; `],
    [
      runbook,
      (n) => `only ${n} calls waiting for each of these connections (${n * 8} with the default pool)`,
    ],
  ],
  [
    `${server}/database/postgres/connections/fair-connections.ts`,
    'connectionsPerFloodedCall',
    [scaling, (n) => `and one for every ${word(n)} connections during a flood`],
    [overload, (n) => ` for each connection; one for ${word(n)} connections during a flood |`],
    [
      runbook,
      (n) => `only one for ${word(n)} connections (${8 / n}) while the application floods the server`,
    ],
  ],
  [
    `${server}/http/limits/refusal-pace.ts`,
    'heldMsMax',
    [scaling, (ms) => `gets the next one up to ${word(ms / 1000)} seconds later`],
    [monitoring, (ms) => `refusals for overload that wait for at most ${word(ms / 1000)} seconds each`],
    [overload, (ms) => `gets its next refusal up to ${word(ms / 1000)} seconds later`],
  ],
  [
    `${server}/database/sqlite/writes/group-commit.ts`,
    'groupSizeMax',
    ['decisions/001-group-commit-on-the-main-thread.md', (n) => `Up to ${n} writes that arrive together`],
  ],
  [
    `${server}/database/sqlite/writes/group-commit.ts`,
    'standingOfApplicationMax',
    [overload, (n) => `| group commit, for each application | ${n}, four groups |`],
  ],
  [
    `${server}/passwords/password-hasher.ts`,
    'standingOfSlot',
    [overload, (n) => `| password hashes, for each application | ${n} for each slot |`],
    [runbook, (n) => `may keep ${word(n)} waiting for each slot`],
  ],
  [
    `${server}/http/limits/admission.ts`,
    'overloadedLeast',
    [overload, (n) => `50 ms of processor time; at least ${n} |`],
  ],
  [
    `${server}/pipeline/steps/list-queue.ts`,
    'standingLeast',
    [overload, (n) => `a quarter of \`--overload-wait\`, at least ${n};`],
  ],
  [
    `${server}/fairness/overload-detector.ts`,
    'standingAfterMs',
    [overload, (ms) => `Every queue may grow for ${ms === 500 ? 'half a second' : `${ms} ms`}`],
    [scaling, (ms) => `has not been empty for ${ms === 500 ? 'half a second' : `${ms} ms`} is cut`],
  ],
  [
    `${server}/http/operation-routes.ts`,
    'refusalDelayMs',
    [overload, (ms) => `verified calls get it ${ms} ms later`],
  ],
  [
    `${server}/http/limits/iteration-size.ts`,
    'trialIterations',
    [overload, (n) => `if ${word(n)} iterations with half the requests are not shorter`],
  ],
  [
    `${server}/app.ts`,
    'closeTimeoutMs',
    [scaling, (ms) => `once all are closed, after ${inSeconds(ms)} s at the latest`],
    ['docs/deploying.md', (ms) => `takes [at most ${inSeconds(ms + 15_000)} seconds]`],
  ],
  [
    `${server}/http/running-calls.ts`,
    'waitMsMax',
    [scaling, (ms) => `then the database is closed | after ${inSeconds(ms)} s at the latest`],
  ],
  [
    `${server}/pipeline/call-deadline.ts`,
    'singleMs',
    [scaling, (ms) => `a call waits at most ${word(ms / 1000)} seconds for the database`],
  ],
  [
    `${server}/pipeline/call-deadline.ts`,
    'perMebibyteMs',
    [scaling, (ms) => `gets ${word(ms / 1000)} seconds more for each MiB`],
  ],
  [
    `${server}/pipeline/call-deadline.ts`,
    'bulkBytesMin',
    [scaling, (bytes) => `a body of ${inKib(bytes)} KiB or more gets`],
    ['decisions/023-bulk-writes-in-a-thread.md', (bytes) => `whose body has ${inKib(bytes)} KiB or more`],
  ],
  [
    `${server}/database/postgres/transactions/settle-lost-commit.ts`,
    'askMs',
    [interfacePage, (ms) => `cannot find out within ${word(ms / 1000)} seconds`],
  ],
  [
    `${server}/database/postgres/transactions/settle-lost-commit.ts`,
    'confirmAtLeastMs',
    [scaling, (ms) => `waits up to ${word(ms / 1000)} seconds more`],
  ],
  [
    `${server}/database/postgres/connections/database-watch.ts`,
    'hostCheckIntervalMs',
    [scaling, (ms) => `asks all of them every ${word(ms / 1000)} seconds, to notice a promotion`],
  ],
  [
    `${server}/database/queries/lists/scan-page.ts`,
    'scannedMaxDefault',
    [scaling, (n) => `examines at most ${digits(n)} entries`],
  ],
  [
    `${server}/database/sqlite/files/file-mapping.ts`,
    'quietMs',
    [
      'decisions/024-map-the-file-while-nobody-writes.md',
      (ms) => `after ${word(ms / 1000)} seconds without a commit`,
    ],
  ],
  [
    `${server}/pipeline/steps/answer-cache.ts`,
    'answersMax',
    ['decisions/009-answers-until-the-next-commit.md', (n) => `at most ${digits(n)} answers`],
  ],
  [
    `${server}/console/sign-in/second-factor.ts`,
    'recoveryCodes',
    [consolePage, (n) => `with ${word(n)} recovery codes`],
  ],
  [
    'packages/contract/src/console/console-limits.ts',
    'operatorPasswordCharactersMin',
    [consolePage, (n) => `A password has at least ${n} characters`],
  ],
  [
    'packages/contract/src/console/console-limits.ts',
    'sessionIdleSeconds',
    [consolePage, (s) => `A session ends after ${s / 3600} hours without use`],
    ['docs/protection.md', (s) => `sessions end after ${s / 3600} hours without a call`],
  ],
  [
    'packages/contract/src/console/console-limits.ts',
    'sessionSecondsMax',
    [consolePage, (s) => `at the latest after ${s / 86_400} days`],
    ['docs/protection.md', (s) => `and after ${word(s / 86_400)} days`],
  ],
  [
    `${server}/passwords/guessable-password.ts`,
    'otherLettersMin',
    [consolePage, (n) => `needs at least ${word(n)} other letters`],
  ],
  [
    'scripts/write-common-passwords.ts',
    'passwordsKept',
    [consolePage, (n) => `none of the ${digits(n)} most common passwords`],
  ],
  [
    'packages/tables/src/workbook/check-workbook.ts',
    'cellsMax',
    [importing, (n) => `have ${word(n / 1_000_000)} million cells`],
    [
      'decisions/011-workbooks-in-memory.md',
      (n) => `at most ${word(n / 1_000_000)} million, empty ones included`,
    ],
  ],
  [
    'packages/tables/src/read-value.ts',
    'sheetDigitsMax',
    [importing, (n) => `a number of more than ${n} digits`],
  ],
  [
    'packages/cli/src/import/run-import.ts',
    'budgetMs',
    [importing, (ms) => `retries for up to ${word(ms / 60_000)} minutes`],
  ],
];

for (const [source, name, ...sentences] of facts) {
  for (const [document, says] of sentences) {
    test(`${document} states ${name} of ${source}`, () => {
      const sentence = says(constantOf(source, name));
      assert.ok(sentencesOf(document).includes(sentence), `${document} must say: ${sentence}`);
    });
  }
}

const sources = listFiles(root).filter(
  (path) => path.startsWith(`${server}/`) && path.endsWith('.ts') && !path.endsWith('.test.ts'),
);

/** Returns what the pattern finds in these sources, each once and in order. */
const found = (isMeant: (path: string) => boolean, pattern: RegExp) =>
  [...new Set(sources.filter(isMeant).flatMap((path) => read(path).match(pattern) ?? []))].toSorted();

test('the page on monitoring lists every metric, and no other', () => {
  const describesMetrics = (path: string) => /metric/i.test(read(path));
  const rows = read(monitoring).match(/^\| `fieldroster_.*$/gm) ?? [];
  const listed = rows.flatMap((row) => row.split(' | ')[0]?.match(/fieldroster_[a-z0-9_]+/g) ?? []);
  assert.deepEqual(listed.toSorted(), found(describesMetrics, /(?<=')fieldroster_[a-z0-9_]+(?=')/g));
});

const checksOfDoctor = (isMeant: (path: string) => boolean) =>
  found(
    (path) => path.startsWith(`${server}/admin/doctor/check-`) && isMeant(path),
    /(?<=^ {2}name: ')[a-z ]+(?=',$)/gm,
  );

test('the console has a label in both languages for each check of the doctor that is not slow', () => {
  const isQuick = (path: string) => !read(path).includes('slow: true');
  const labelled = ({ doctor }: { doctor: { checks: object } }) => Object.keys(doctor.checks);
  for (const check of checksOfDoctor(isQuick))
    for (const labels of [english, chinese])
      assert.ok(
        labelled(labels).includes(check),
        `packages/console/src/i18n/{en,zh}/settings.ts have no label for the check "${check}"`,
      );
});

test('the page on the doctor lists every check, and no other', () => {
  const listed = read(doctor).match(/(?<=^\| \[?`)[a-z ]+(?=`)/gm) ?? [];
  const checks = checksOfDoctor(() => true);
  // The database is opened before there is anything to check.
  assert.deepEqual(listed.toSorted(), [...checks, 'database'].toSorted());
});

test("the first change of CONTRIBUTING.md names the test, its expectation, the message's key and the limit as they are", () => {
  const text = sentencesOf('CONTRIBUTING.md');
  const tests = read(`${server}/operations/create-user.test.ts`);
  const [, title = '', expected = ''] = /the test `([^`]+)` expects `([^`]+)`/.exec(text) ?? [];
  const [, key = ''] = /throws `refuse\(1102, \{ key: '([A-Za-z]+)', … \}\)`/.exec(text) ?? [];
  const [, limited = ''] =
    /Change `charactersMax` of `(\w+)` in `packages\/contract\/src\/profile-texts\.ts`/.exec(text) ?? [];
  assert.match(
    tests.slice(tests.indexOf(`test('${title}'`)),
    new RegExp(`^test.*\\n.*\\n.*1102, ${expected}`),
  );
  assert.ok(read(`${server}/operations/create-user.ts`).includes(`refuse(1102, { key: '${key}', `));
  const problems = read('packages/contract/src/problem-texts.ts');
  const [sentence] = problems.slice(problems.indexOf(`  ${key}: (`)).match(/`[^`]+`/) ?? [];
  const [, appended = ''] = /append `([^`]+)` to it/.exec(text) ?? [];
  const [, becomes = ''] = /Make that `\/([^`]+)\/`/.exec(text) ?? [];
  const before = String(sentence)
    .slice(1, -1)
    .replaceAll(/\$\{\w+\}/g, '"taken"');
  assert.ok(problems.includes(`  ${key}: (`));
  assert.doesNotMatch(before, new RegExp(becomes));
  assert.match(before + appended, new RegExp(becomes));
  assert.match(
    read('packages/contract/src/profile-texts.ts'),
    new RegExp(`^  ${limited}: \\{ .*charactersMax: \\d`, 'm'),
  );
});
