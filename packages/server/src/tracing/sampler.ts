import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import type { Notice } from '../logging/notice.ts';

const defaultName = 'parentbased_always_on';

/** Returns the sampler that `OTEL_TRACES_SAMPLER` names; by default, every trace that the caller does not leave out. */
export function samplerOf(environment: NodeJS.ProcessEnv, notice: Notice): Sampler {
  const { OTEL_TRACES_SAMPLER: given = '', OTEL_TRACES_SAMPLER_ARG: argument = '' } = environment;
  const name = isKnown(given) ? given : defaultName;
  if (given !== '' && name !== given) notice({ OTEL_TRACES_SAMPLER: given }, unknownName);
  const root = rootSampler(name.replace('parentbased_', ''), argument, notice);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

const roots = ['always_on', 'always_off', 'traceidratio'];

function isKnown(name: string): boolean {
  return roots.some((root) => name === root || name === `parentbased_${root}`);
}

const unknownName =
  'OTEL_TRACES_SAMPLER names no known sampler, so every trace is recorded unless the caller leaves it out; use ' +
  'always_on, always_off or traceidratio, or one of them after parentbased_';

const unknownRatio =
  'OTEL_TRACES_SAMPLER_ARG is not a number from 0 to 1, so it counts as 1, which records every trace; 0.01 records one ' +
  'in a hundred';

function rootSampler(name: string, argument: string, notice: Notice): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler();
  if (name === 'always_on') return new AlwaysOnSampler();
  if (argument === '') return new TraceIdRatioBasedSampler(1);
  const ratio = argument.trim() === '' ? Number.NaN : Number(argument);
  if (ratio >= 0 && ratio <= 1) return new TraceIdRatioBasedSampler(ratio);
  notice({ OTEL_TRACES_SAMPLER_ARG: argument }, unknownRatio);
  return new TraceIdRatioBasedSampler(1);
}
