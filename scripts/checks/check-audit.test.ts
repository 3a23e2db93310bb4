import assert from 'node:assert/strict';
import test from 'node:test';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { checkAudit, NotRun, readAudit } from './check-audit.ts';

test('a vulnerable package is a problem, with its advisory', () => {
  const advisory = { title: 'Prototype pollution', url: 'https://example/GHSA-1' };
  const vulnerabilities = {
    minimist: { severity: 'critical', range: '<1.2.6', via: [advisory] },
    mkdirp: { severity: 'high', range: '0.4.1', via: ['minimist'] },
  };
  assert.deepEqual(readAudit(JSON.stringify({ auditReportVersion: 2, vulnerabilities })), [
    'minimist <1.2.6 (critical): Prototype pollution https://example/GHSA-1',
    'mkdirp 0.4.1 (high): minimist',
  ]);
});

test('a report without vulnerabilities passes', () => {
  assert.deepEqual(readAudit(JSON.stringify({ auditReportVersion: 2, vulnerabilities: {} })), []);
});

test('a registry that offers no audit, or cannot be reached, is reported', (t) => {
  assert.deepEqual(
    readAudit('{"message":"405 Method Not Allowed"}'),
    new NotRun('the registry gave no report: 405 Method Not Allowed'),
  );
  assert.ok(readAudit('<html>') instanceof NotRun);
  const folder = temporaryFolder(t, {
    'package.json': '{"name":"x","version":"1.0.0","dependencies":{"minimist":"1.0.0"}}',
    'package-lock.json': JSON.stringify({
      name: 'x',
      version: '1.0.0',
      lockfileVersion: 3,
      packages: {
        '': { dependencies: { minimist: '1.0.0' } },
        'node_modules/minimist': { version: '1.0.0' },
      },
    }),
    '.npmrc': 'registry=http://127.0.0.1:9/',
  });
  const result = checkAudit(folder);
  assert.ok(result instanceof NotRun);
  assert.match(result.reason, /^the registry gave no report: .*127\.0\.0\.1:9/);
});
