import assert from 'node:assert/strict';
import { test } from 'node:test';
import { samplerOf } from './sampler.ts';

const byDefault = 'ParentBased{root=AlwaysOnSampler';

/** Returns what the sampler says of itself, and what was logged. */
function read(name?: string, argument?: string) {
  const notices: [fields: object, message: string][] = [];
  const environment = {
    ...(name !== undefined && { OTEL_TRACES_SAMPLER: name }),
    ...(argument !== undefined && { OTEL_TRACES_SAMPLER_ARG: argument }),
  };
  const sampler = samplerOf(environment, (fields, message) => notices.push([fields, message]));
  return { sampler: String(sampler), notices };
}

test('each sampler of the specification is the one that its name says, without a notice', () => {
  for (const [name, argument, expected] of [
    [undefined, undefined, byDefault],
    ['', '', byDefault],
    ['always_on', undefined, 'AlwaysOnSampler'],
    ['always_off', undefined, 'AlwaysOffSampler'],
    ['traceidratio', undefined, 'TraceIdRatioBased{1}'],
    ['traceidratio', '', 'TraceIdRatioBased{1}'],
    ['traceidratio', '0', 'TraceIdRatioBased{0}'],
    ['traceidratio', '0.01', 'TraceIdRatioBased{0.01}'],
    ['traceidratio', '1', 'TraceIdRatioBased{1}'],
    ['parentbased_always_on', undefined, byDefault],
    ['parentbased_always_off', undefined, 'ParentBased{root=AlwaysOffSampler'],
    ['parentbased_traceidratio', '0.25', 'ParentBased{root=TraceIdRatioBased{0.25}'],
    // Only the two ratios have an argument.
    ['always_off', 'half', 'AlwaysOffSampler'],
  ] as const) {
    const { sampler, notices } = read(name, argument);
    assert(sampler.startsWith(expected), `${name} ${argument}: ${sampler}`);
    assert.deepEqual(notices, []);
  }
});

test('an unknown sampler is the default, and a line says so', () => {
  for (const name of [
    'alwaysoff',
    'ALWAYS_OFF',
    'parentbased_',
    'parentbased_half',
    'jaeger_remote',
    'always_off ',
  ]) {
    const { sampler, notices } = read(name);
    assert(sampler.startsWith(byDefault), `${name}: ${sampler}`);
    assert.deepEqual(notices, [
      [
        { OTEL_TRACES_SAMPLER: name },
        'OTEL_TRACES_SAMPLER names no known sampler, so every trace is recorded unless the caller leaves it out; use ' +
          'always_on, always_off or traceidratio, or one of them after parentbased_',
      ],
    ]);
  }
});

test('an argument outside 0 to 1 is replaced by the default, and a line says so', () => {
  for (const argument of ['1%', '10', '-0.1', 'NaN', 'half', '0,5', 'Infinity', ' ']) {
    const { sampler, notices } = read('traceidratio', argument);
    assert.equal(sampler, 'TraceIdRatioBased{1}', argument);
    assert.deepEqual(notices, [
      [
        { OTEL_TRACES_SAMPLER_ARG: argument },
        'OTEL_TRACES_SAMPLER_ARG is not a number from 0 to 1, so it counts as 1, which records every trace; 0.01 ' +
          'records one in a hundred',
      ],
    ]);
  }
});
