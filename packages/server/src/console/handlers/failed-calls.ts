import type { ConsoleOperations } from '@fieldroster/contract/console';
import { lineNames, namesOfCause } from '@fieldroster/signing';
import type { ApplicationRecord, FailedCallRecord } from '../../database/database.ts';
import { fromCursor, toCursor } from '../../operations/cursor.ts';
import { pageSize } from '../../operations/read-page.ts';
import type { ConsoleHandler } from '../console-context.ts';
import { visibleCallers } from '../visible-callers.ts';

const listName = 'list-failed-calls';

export const listFailedCalls: ConsoleHandler<ConsoleOperations['listFailedCalls']> = async (
  { app_id, operation, code, request_id, cursor, limit },
  context,
) => {
  const { applications, failures } = await visibleCallers(context);
  const isOwn = applications.some(({ appId }) => appId === app_id);
  const [atMs, before] = (fromCursor(listName, cursor, ['time', 'string']) ?? []) as [bigint?, string?];
  const size = pageSize(limit);
  const found = await context.parts.database.bookkeeping.calls.listFailuresBack({
    filters: {
      ...(app_id === undefined ? failures : { appIds: isOwn ? [app_id] : [] }),
      ...(operation !== undefined && { operation }),
      ...(code !== undefined && { code }),
      ...(request_id !== undefined && { requestId: request_id }),
    },
    ...(atMs !== undefined && before !== undefined && { before: { atMs: Number(atMs), requestId: before } }),
    limit: size + 1,
  });
  const page = found.slice(0, size);
  const last = found.length > size ? page.at(-1) : undefined;
  return {
    calls: page.map((call) => present(call, applications)),
    next_cursor: toCursor(listName, last && [BigInt(last.atMs), last.requestId]),
  };
};

function present(call: FailedCallRecord, applications: readonly ApplicationRecord[]) {
  const {
    requestId,
    atMs,
    appId = '',
    verified,
    operation = '',
    code,
    message,
    cause = '',
    durationUs,
  } = call;
  return {
    request_id: requestId,
    at: BigInt(atMs),
    app_id: appId,
    name: applications.find((application) => application.appId === appId)?.name ?? '',
    verified,
    operation,
    code,
    message,
    cause,
    mistakes: [...namesOfCause(cause)],
    duration_us: durationUs,
  };
}

const weekMs = 7 * 86_400_000;

export const queryFailedCall: ConsoleHandler<ConsoleOperations['queryFailedCall']> = async (
  { request_id },
  context,
) => {
  const { applications, failures } = await visibleCallers(context);
  const { database, now } = context.parts;
  const { calls } = database.bookkeeping;
  const filters = { ...failures, requestId: request_id };
  const [[call], unkept] = await Promise.all([
    calls.listFailuresBack({ filters, limit: 1 }),
    calls.countUnkept(now() - weekMs),
  ]);
  return { unkept, ...(call !== undefined && { call: presentWhole(call, applications) }) };
};

function presentWhole(call: FailedCallRecord, applications: readonly ApplicationRecord[]) {
  const { method, target, address = '', stringsToSign = [] } = call;
  return {
    ...present(call, applications),
    method,
    target,
    address,
    strings_to_sign: stringsToSign.map(linesOf),
  };
}

function linesOf(stringToSign: string) {
  const names = lineNames(stringToSign);
  return stringToSign.split('\n').map((text, index) => ({ name: names[index] ?? '', text }));
}
