import type { ConsoleOperations } from '@fieldroster/contract/console';
import { lineNames, namesOfCause } from '@fieldroster/signing';
import { failuresKeptMs } from '../../call-records/call-recorder.ts';
import type { ApplicationRecord, FailedCallRecord } from '../../database/database.ts';
import { fromCursor } from '../../operations/cursor.ts';
import { readPage } from '../../operations/read-page.ts';
import type { ConsoleHandler } from '../console-context.ts';
import { visibleCallers } from '../visible-callers.ts';

const listName = 'list-failed-calls';

export const listFailedCalls: ConsoleHandler<ConsoleOperations['listFailedCalls']> = async (
  input,
  context,
) => {
  const { app_id, operation, code, request_id, since, until, cursor } = input;
  const { applications, failures } = await visibleCallers(context);
  const isOwn = applications.some(({ appId }) => appId === app_id);
  const [atMs, before] = (fromCursor(listName, cursor, ['time', 'string']) ?? []) as [bigint?, string?];
  const query = {
    filters: {
      ...(app_id === undefined ? failures : { appIds: isOwn ? [app_id] : [] }),
      ...(operation !== undefined && { operation }),
      ...(code !== undefined && { code }),
      ...(request_id !== undefined && { requestId: request_id }),
      ...(since !== undefined && { sinceMs: since }),
      ...(until !== undefined && { untilMs: until }),
    },
    ...(atMs !== undefined && before !== undefined && { before: { atMs: Number(atMs), requestId: before } }),
  };
  const { calls } = context.parts.database.bookkeeping;
  const { entries, next_cursor } = await readPage(
    listName,
    input,
    (call: FailedCallRecord) => [BigInt(call.atMs), call.requestId],
    (limit) => calls.listFailuresBack({ ...query, limit }),
  );
  return { calls: entries.map((call) => present(call, applications)), next_cursor };
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

export const queryFailedCall: ConsoleHandler<ConsoleOperations['queryFailedCall']> = async (
  { request_id },
  context,
) => {
  const { applications, failures } = await visibleCallers(context);
  const { signedIn } = context;
  const { database, now } = context.parts;
  const { calls } = database.bookkeeping;
  const filters = { ...failures, requestId: request_id };
  const [[call], unkept] = await Promise.all([
    calls.listFailuresBack({ filters, limit: 1 }),
    // They belong to any tenant, or to none.
    signedIn.operator.allTenants ? calls.countUnkept(now() - failuresKeptMs) : undefined,
  ]);
  return {
    ...(unkept !== undefined && { unkept }),
    ...(call !== undefined && { call: presentWhole(call, applications) }),
  };
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
