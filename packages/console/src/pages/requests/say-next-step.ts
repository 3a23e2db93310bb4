import type { OwnResult } from '../../api/call.ts';
import type { Texts } from '../../i18n/texts.ts';
import { readClockDifference, readWrongTime } from './read-clock-difference.ts';
import { callLacksValues } from './withheld-values.ts';

type Call = Pick<
  NonNullable<OwnResult<'queryFailedCall'>['call']>,
  'code' | 'message' | 'cause' | 'strings_to_sign'
>;

/**
 * Says the operator's next step after a failed call, as exactly as the server's diagnosis allows.
 *
 * @param usual the step that suits every call with this code
 */
export function sayNextStep(requests: Texts['requests'], call: Call, usual: string): string {
  if (call.message.includes(', so it cannot tell whether the request is in time; '))
    return requests.stepOfServerClock;
  if (call.code === 1012) return sayClockStep(requests, call.message) ?? usual;
  if (call.code !== 1014) return usual;
  if (call.cause !== '') return requests.stepWithCause;
  return callLacksValues(call) ? requests.stepWithoutValues : usual;
}

function sayClockStep(requests: Texts['requests'], message: string): string | undefined {
  if (message.includes(' was purged, ')) return requests.stepAfterPurge;
  if (message.includes(', so it may be the wrong one: ')) return requests.stepOfServerClock;
  const wrong = readWrongTime(message);
  if (wrong !== undefined) return requests.stepsOfTime[wrong];
  const difference = readClockDifference(message);
  return difference && requests.stepOfClock(difference);
}
