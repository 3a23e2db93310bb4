import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';

/** Returns the sampler that `OTEL_TRACES_SAMPLER` names; by default, every trace that the caller does not leave out. */
export function samplerOf(environment: NodeJS.ProcessEnv): Sampler {
  const { OTEL_TRACES_SAMPLER: name = '', OTEL_TRACES_SAMPLER_ARG: argument = '' } = environment;
  const parentBased = name.startsWith('parentbased_') || name === '';
  const root = rootSampler(name.replace('parentbased_', ''), argument);
  return parentBased ? new ParentBasedSampler({ root }) : root;
}

function rootSampler(name: string, argument: string): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler();
  if (name === 'traceidratio') return new TraceIdRatioBasedSampler(argument === '' ? 1 : Number(argument));
  return new AlwaysOnSampler();
}
