/** Facts about a span. Never a value that a caller sent: traces leave the machine. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A request that becomes the outermost span of this process. */
export interface TracedRequest {
  readonly name: string;
  readonly attributes: SpanAttributes;
  /** Headers with the caller's `traceparent` and `tracestate`, if it sent them. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A recorder of spans, such as OpenTelemetry. */
export interface Tracer {
  traceRequest<T>(request: TracedRequest, work: () => Promise<T>): Promise<T>;
  inSpan<T>(name: string, attributes: SpanAttributes, work: () => T): T;
  /** Returns the work, bound to the span that is current now. */
  carry<Given extends unknown[], T>(work: (...given: Given) => T): (...given: Given) => T;
  note(attributes: SpanAttributes, failed: boolean): void;
}

let tracer: Tracer | undefined;

/**
 * Sets what records the spans of this process; `undefined` records none, and then everything here just runs the work.
 */
export function setTracer(chosen: Tracer | undefined): void {
  tracer = chosen;
}

/** Runs the work of a request in a span that continues the caller's trace. */
export function traceRequest<T>(describe: () => TracedRequest, work: () => Promise<T>): Promise<T> {
  return tracer === undefined ? work() : tracer.traceRequest(describe(), work);
}

/**
 * Runs a part of a request in its own span. Work of the server itself, outside any request, gets none. The work may
 * return a promise; then the span lasts until it settles.
 */
export function inSpan<T>(name: string, attributes: SpanAttributes, work: () => T): T {
  return tracer === undefined ? work() : tracer.inSpan(name, attributes, work);
}

/** Binds work that runs later, together with other requests', to the span of the request that asks for it. */
export function carryTrace<Given extends unknown[], T>(work: (...given: Given) => T): (...given: Given) => T {
  return tracer === undefined ? work : tracer.carry(work);
}

/** Adds facts to the current span. */
export function noteOnSpan(attributes: SpanAttributes, failed = false): void {
  tracer?.note(attributes, failed);
}
