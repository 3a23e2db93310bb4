import type { Notice } from '../logging/notice.ts';
import { setTracer } from './trace.ts';

const endpointVariables = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];

/**
 * Records and exports traces if the environment names a collector. Otherwise nothing of OpenTelemetry is loaded.
 *
 * @returns a function that exports the rest and ends
 */
export async function startTracing(
  environment: NodeJS.ProcessEnv,
  notice: Notice,
): Promise<() => Promise<void>> {
  if (!isAskedFor(environment)) return async () => {};
  const { OpenTelemetryTracer } = await import('./open-telemetry.ts');
  const tracer = new OpenTelemetryTracer(environment, notice);
  setTracer(tracer);
  return async () => {
    setTracer(undefined);
    await tracer.stop();
  };
}

function isAskedFor(environment: NodeJS.ProcessEnv): boolean {
  if (environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || environment.OTEL_TRACES_EXPORTER === 'none')
    return false;
  return endpointVariables.some((name) => (environment[name] ?? '') !== '');
}
