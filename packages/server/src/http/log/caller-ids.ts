import type { IncomingHttpHeaders } from 'node:http';

/** Ids that the caller gave the request, for the log. */
export interface CallerIds {
  readonly caller_request_id?: string;
  readonly traceparent?: string;
}

/** Visible ASCII characters, so that no caller can forge a line or flood the log. */
const requestIdShape = /^[\x21-\x7e]{1,128}$/;

/** W3C Trace Context, section 3.2; a later version may add to it. */
const traceparentShape = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?:-[\x21-\x7e]{0,64})?$/;

const none: CallerIds = {};

/** Returns the caller's ids; one that is too long or has other characters is left out. */
export function callerIds(headers: IncomingHttpHeaders): CallerIds {
  const { 'x-request-id': requestId, traceparent } = headers;
  if (requestId === undefined && traceparent === undefined) return none;
  return {
    ...(isOfShape(requestId, requestIdShape) && { caller_request_id: requestId }),
    ...(isOfShape(traceparent, traceparentShape) && { traceparent }),
  };
}

function isOfShape(value: string | string[] | undefined, shape: RegExp): value is string {
  return typeof value === 'string' && shape.test(value);
}
