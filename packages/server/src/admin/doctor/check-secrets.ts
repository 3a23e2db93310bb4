import { masterKeyVariable } from '../../applications/master-key.ts';
import { type KeysReport, reportKeys } from '../keys/check-keys.ts';
import { keyPlaceOf, readKeys } from '../keys/key-place.ts';
import { describeHolder } from '../keys/rotate-key.ts';
import type { DoctorCheck, DoctorContext } from './doctor-check.ts';
import { error, type Finding, note, ok, warning } from './finding.ts';

/** Opens every secret with the master key of this machine, and looks for a rotation that was left unfinished. */
export const checkSecrets: DoctorCheck = {
  name: 'secrets',
  async *run(context) {
    const keys = readGivenKeys(context);
    if (!Array.isArray(keys)) {
      yield keys as Finding;
      return;
    }
    let report: KeysReport;
    try {
      report = await reportKeys(context.inspection, keys as Uint8Array[]);
    } catch (cause) {
      yield describeKey(context, keys.length > 0);
      throw cause;
    }
    const findings = [...unopened(report), ...unfinished(report), ...leftBehind(report)];
    const values = report.uses.reduce((sum, use) => sum + use.values, 0);
    yield* findings.length > 0 ? findings : [ok(`the master key opens all ${values} sealed values`)];
  },
};

/** Reports whether there is a valid key, for a database whose sealed values cannot be read. */
function describeKey({ settings: { data }, environment }: DoctorContext, found: boolean): Finding {
  const { folder, keyFile } = keyPlaceOf({ data, environment });
  if (found) return ok(`a valid master key is in ${keyFile ?? masterKeyVariable}`);
  return note(
    `there is no master key in ${folder}, and ${masterKeyVariable} is not set`,
    'unless the directory is new, restore one of them; see docs/keys.md',
  );
}

function readGivenKeys({ settings, environment }: DoctorContext): readonly Uint8Array[] | Finding {
  try {
    return readKeys(keyPlaceOf({ data: settings.data, environment }));
  } catch (cause) {
    return error((cause as Error).message, 'repair or restore the key; see docs/keys.md');
  }
}

function unopened({ unopened: values, heldKeyIds }: KeysReport): Finding[] {
  if (values.length === 0) return [];
  const shown = values.slice(0, 5).join('; ') + (values.length > 5 ? '; …' : '');
  if (heldKeyIds.length === 0) {
    const message = `there is no master key here, and ${values.length} sealed values need one`;
    return [error(message, 'restore master.key, or set FIELDROSTER_MASTER_KEY; see docs/keys.md')];
  }
  const advice =
    'see which key they need with: fieldroster key check; replace a damaged one with: fieldroster app rotate, or fieldroster operator reset';
  return [error(`the master key does not open ${values.length} sealed values: ${shown}`, advice)];
}

function unfinished({ nextKeyId, previousKeyId }: KeysReport): Finding[] {
  if (nextKeyId !== undefined) {
    return [
      warning(`a rotation to the key ${nextKeyId} is not complete`, 'continue with: fieldroster key rotate'),
    ];
  }
  if (previousKeyId === undefined) return [];
  const message = `a rotation is not finished: the previous key ${previousKeyId} is still held`;
  return [warning(message, 'finish with: fieldroster key rotate --finish')];
}

function leftBehind({ processes, currentKeyId = '' }: KeysReport): Finding[] {
  const lacking = processes.filter(({ running, keyIds }) => running && !keyIds.includes(currentKeyId));
  return lacking.map((holder) =>
    error(
      `${describeHolder(holder)} lacks the current key ${currentKeyId}`,
      'give it the current key and restart it; new secrets do not work there',
    ),
  );
}
