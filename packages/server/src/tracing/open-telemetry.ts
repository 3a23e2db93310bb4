import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  DiagLogLevel,
  defaultTextMapGetter,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { atMostEvery } from '../logging/at-most-every.ts';
import type { Notice } from '../logging/notice.ts';
import { withinMs } from '../time/within-ms.ts';
import { samplerOf } from './sampler.ts';
import type { SpanAttributes, TracedRequest, Tracer } from './trace.ts';

/** How long a stop waits for the last export, in milliseconds. */
const stopTimeoutMs = 2_000;

/** Minimum time between two lines in the log about failed exports, in milliseconds. */
const noticeIntervalMs = 60_000;

const attributeCharactersMax = 4_096;

/**
 * Records spans with OpenTelemetry and exports them in the background, as OTLP over HTTP with JSON. The environment
 * variables of OpenTelemetry's specification say where to send them.
 */
export class OpenTelemetryTracer implements Tracer {
  readonly #provider: TracerProvider;
  readonly #tracer;
  readonly #contexts = new AsyncLocalStorage<Context>();
  readonly #propagator = new W3CTraceContextPropagator();

  constructor(environment: NodeJS.ProcessEnv, notice: Notice) {
    reportFailures(notice);
    const own = resourceFromAttributes({ 'service.name': 'fieldroster' });
    this.#provider = new TracerProvider({
      resource: defaultResource()
        .merge(own)
        .merge(detectResources({ detectors: [envDetector] })),
      sampler: samplerOf(environment, notice),
      spanLimits: { attributeValueLengthLimit: attributeCharactersMax },
      spanProcessors: [
        new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), ...batchLimits(environment) }),
      ],
    });
    this.#tracer = this.#provider.getTracer('fieldroster');
  }

  traceRequest<T>({ name, attributes, headers }: TracedRequest, work: () => Promise<T>): Promise<T> {
    const parent = this.#propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
    return this.#run(
      parent,
      this.#tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent),
      work,
    );
  }

  inSpan<T>(name: string, attributes: SpanAttributes, work: () => T): T {
    const parent = this.#contexts.getStore();
    if (parent === undefined) return work();
    return this.#run(parent, this.#tracer.startSpan(name, { attributes }, parent), work);
  }

  carry<Given extends unknown[], T>(work: (...given: Given) => T): (...given: Given) => T {
    const context = this.#contexts.getStore();
    // Work without a context must not join the trace of the request that happens to run it.
    return (...given) =>
      context === undefined
        ? this.#contexts.exit(work, ...given)
        : this.#contexts.run(context, work, ...given);
  }

  note(attributes: SpanAttributes, failed: boolean): void {
    const context = this.#contexts.getStore();
    const span = context && trace.getSpan(context);
    span?.setAttributes(attributes);
    if (failed) span?.setStatus({ code: SpanStatusCode.ERROR });
  }

  async stop(): Promise<void> {
    await withinMs(
      this.#provider.shutdown().catch(() => {}),
      stopTimeoutMs,
      () => {},
    );
    diag.disable();
  }

  #run<T>(parent: Context, span: Span, work: () => T): T {
    try {
      const result = this.#contexts.run(trace.setSpan(parent, span), work);
      if (result instanceof Promise) {
        result.then(
          () => span.end(),
          () => endFailed(span),
        );
      } else span.end();
      return result;
    } catch (error) {
      endFailed(span);
      throw error;
    }
  }
}

/** Reads the limits of a batch, whose variables the span processor leaves to its caller. */
function batchLimits(environment: NodeJS.ProcessEnv) {
  const read = (name: string) => {
    const value = Number(environment[name]);
    return Number.isInteger(value) && value > 0 ? value : undefined;
  };
  const scheduledDelayMillis = read('OTEL_BSP_SCHEDULE_DELAY');
  const maxQueueSize = read('OTEL_BSP_MAX_QUEUE_SIZE');
  const maxExportBatchSize = read('OTEL_BSP_MAX_EXPORT_BATCH_SIZE');
  return {
    ...(scheduledDelayMillis && { scheduledDelayMillis }),
    ...(maxQueueSize && { maxQueueSize }),
    ...(maxExportBatchSize && { maxExportBatchSize }),
  };
}

/** Leaves out the error's message, because it may quote what a caller sent. */
function endFailed(span: Span): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Logs that exports fail, now and then. They never affect a call. */
function reportFailures(notice: Notice): void {
  const mayReport = atMostEvery(noticeIntervalMs);
  const report = (cause: string) => {
    if (mayReport()) notice({ cause: cause.slice(0, attributeCharactersMax) }, 'traces cannot be exported');
  };
  const ignore = () => {};
  const logger = { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, DiagLogLevel.WARN);
}
