import { written } from '../written.ts';

const calls = (count: string) => (count === '1' ? '1 call' : `${count} calls`);

export const overview = {
  title: 'Overview',
  range: 'Time shown',
  ranges: { hour: 'Last hour', day: 'Last day', week: 'Last week' },
  before: {
    hour: 'Compared with the hour before',
    day: 'Compared with the day before',
    week: 'Compared with the week before',
  },
  well: 'No application needs attention now; the failures of the last 24 hours are listed below.',
  /** `count` is 0 if the server has not counted the calls yet. */
  strangersOnly: (count: number) => {
    const failed = count === 0 ? 'Calls' : calls(written(count));
    return `${failed} failed without a known application; check the APPID of a new integration.`;
  },
  firstSteps: {
    title: 'No users or stores yet',
    viewer: 'A manager adds organizations, roles, stores and users.',
    orgs: 'Add organizations',
    orgsHelp: 'Users belong to organizations, such as regions and teams.',
    roles: 'Add roles',
    rolesHelp: 'A role says what somebody does, such as sales representative.',
    stores: 'Import stores',
    storesHelp: 'What sales representatives look after: each with a code and a name.',
    users: 'Import users',
    usersHelp: 'From a CSV file or a workbook. Nothing changes until you have seen the preview.',
    applications: 'Issue application',
    applicationsHelp: 'Another system gets an APPID and a secret to call this directory.',
  },
  quiet: 'All is well; no call has failed in the last 24 hours.',
  failedOf: (name: string, failed: string, all: string) =>
    `${failed} of ${calls(all)} of ${name} failed in the last 24 hours`,
  failing: (total: string, part: string | undefined, span: string, meaning: string) =>
    part === undefined ? `${total}, ${span}: ${meaning}.` : `${total}; ${part} of them, ${span}: ${meaning}.`,
  /** In place of the sentence above, if the server has not counted the calls yet. */
  failedAt: (name: string, time: string, meaning: string) => `${name} failed at ${time}: ${meaning}.`,
  at: (time: string) => `at ${time}`,
  startingAt: (time: string) => `since ${time}`,
  about: (time: string) => `about ${time}`,
  between: (from: string, to: string) => `between ${from} and ${to}`,
  moreCodes: (count: number) =>
    count === 1 ? 'It also fails with another code.' : `It also fails with ${count} other codes.`,
  moreApplications: (count: number) =>
    count === 1 ? 'One more application is failing.' : `${count} more applications are failing.`,
  showRequests: 'Show requests',
  unknownCaller: 'An unknown caller',
  revoked: (name: string) => `${name} (revoked)`,
  users: 'Users',
  stores: 'Stores',
  bindings: 'Assignments',
  applications: 'Applications',
  counting: 'Counting…',
  asOf: (time: string) => `As of ${time}; counting a directory of this size takes a while.`,
  inAWeek: (difference: string) => `${difference} in 7 days`,
  unchanged: 'no change',
  since: (time: string) => `Since ${time}`,
  calls: 'Calls',
  failed: 'Failed',
  latency: { p50: 'Median time', p99: '99th percentile time' },
  latencyHelp: {
    p50: 'Half of the calls took no longer than this (p50)',
    p99: '99 of 100 calls took no longer than this (p99)',
  },
  atMost: (ms: string) => `≤ ${ms} ms`,
  slower: '> 5 s',
  chart: 'Calls per minute',
  by: 'Break down',
  byCode: 'By code',
  byOperation: 'By operation',
  succeeded: 'Succeeded',
  operation: 'Operation',
  code: 'Code',
  noOperation: 'No operation',
  others: 'Others',
  noCalls: 'No calls in this period',
  noCallsHelp: 'Applications appear here within a minute of their first call.',
  integrations: 'Failing integrations',
  integrationsHelp: 'In the last 24 hours',
  noneFailing: 'No application failed in the last 24 hours.',
  ofCalls: (failed: string, all: string) => `${failed} of ${calls(all)}`,
  countedCalls: calls,
  notCountedYet: 'not counted yet',
  lastAt: 'last',
  alsoRefused: 'Refusals that a working integration can get too:',
  openApplication: 'Open application',
  changes: 'Latest changes',
  noChanges: 'Nothing has changed yet.',
  allChanges: 'All changes',
};
