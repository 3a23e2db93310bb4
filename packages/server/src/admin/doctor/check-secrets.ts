import { masterKeyVariable } from '../../applications/master-key/key-places.ts';
import { counted } from '../../words/counted.ts';
import { type KeysReport, reportKeys } from '../keys/check-keys.ts';
import { keyPlaceOf, readKeys } from '../keys/key-place.ts';
import { describeHolder } from '../keys/rotate-key.ts';
import type { DoctorCheck, DoctorContext } from './doctor-check.ts';
import { advise, error, note, ok, type TranslatedFinding, tell, warning } from './finding.ts';

/** Opens every secret with the master key of this machine, and looks for a rotation that was left unfinished. */
export const checkSecrets: DoctorCheck = {
  name: 'secrets',
  async *run(context) {
    const keys = readGivenKeys(context);
    if (!Array.isArray(keys)) {
      yield keys as TranslatedFinding;
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
    if (findings.length > 0) yield* findings;
    else yield values === 0 ? describeKey(context, keys.length > 0) : describeOpened(values);
  },
};

function describeOpened(values: number): TranslatedFinding {
  const message =
    values === 1
      ? 'the master key opens the one sealed value'
      : `the master key opens all ${values} sealed values`;
  return ok(tell(message, 'keyOpens', { values }));
}

/** Reports whether there is a valid key, for a database that has no sealed values, or whose values cannot be read. */
function describeKey({ settings: { data }, environment }: DoctorContext, found: boolean): TranslatedFinding {
  const { folder, keyFile } = keyPlaceOf({ data, environment });
  // The commands have put the content of the file that this variable names into the other one.
  const file = environment[`${masterKeyVariable}_FILE`];
  const place = keyFile ?? (file || masterKeyVariable);
  if (found) return ok(tell(`a valid master key is in ${place}`, 'keyFound', { place }));
  const message = `there is no master key in ${folder}, and ${masterKeyVariable} is not set`;
  return note(
    tell(message, 'noKey', { folder, variable: masterKeyVariable }),
    advise('unless the directory is new, restore one of them; see docs/keys.md', 'restoreKeyUnlessNew', {}),
  );
}

function readGivenKeys({ settings, environment }: DoctorContext): readonly Uint8Array[] | TranslatedFinding {
  try {
    return readKeys(keyPlaceOf({ data: settings.data, environment }));
  } catch (cause) {
    const reason = (cause as Error).message;
    return error(
      tell(reason, 'keyUnusable', { reason }),
      advise(
        'correct that, and run the doctor again; restore the key only if it is lost or damaged: see docs/keys.md',
        'repairKey',
        {},
      ),
    );
  }
}

function unopened({ unopened: values, heldKeyIds }: KeysReport): TranslatedFinding[] {
  if (values.length === 0) return [];
  const shown = values.slice(0, 5).join('; ') + (values.length > 5 ? '; …' : '');
  if (heldKeyIds.length === 0) {
    const message = `there is no master key here, and ${counted(values.length, 'sealed value')} ${values.length === 1 ? 'needs' : 'need'} one`;
    const variable = masterKeyVariable;
    const advice = `restore master.key, or set ${variable}; see docs/keys.md`;
    return [
      error(tell(message, 'noKeyFor', { values: values.length }), advise(advice, 'restoreKey', { variable })),
    ];
  }
  const message = `the master key does not open ${counted(values.length, 'sealed value')}: ${shown}`;
  return [
    error(tell(message, 'keyDoesNotOpen', { values: values.length, examples: shown }), adviceOnUnopened),
  ];
}

const adviceOnUnopened = advise(
  'see which key they need with: fieldroster key check; if one is damaged, see "If a sealed value is damaged" in docs/keys.md',
  'checkKeys',
  {},
);

function unfinished({ nextKeyId, previousKeyId }: KeysReport): TranslatedFinding[] {
  if (nextKeyId !== undefined) {
    return [
      warning(
        tell(`a rotation to the key ${nextKeyId} is not complete`, 'rotationBegun', { key: nextKeyId }),
        advise('continue with: fieldroster key rotate', 'continueRotation', {}),
      ),
    ];
  }
  if (previousKeyId === undefined) return [];
  const message = `a rotation is not finished: the previous key ${previousKeyId} is still held`;
  return [
    warning(
      tell(message, 'rotationNotFinished', { key: previousKeyId }),
      advise('finish with: fieldroster key rotate --finish', 'finishRotation', {}),
    ),
  ];
}

function leftBehind({ processes, currentKeyId = '' }: KeysReport): TranslatedFinding[] {
  const lacking = processes.filter(({ running, keyIds }) => running && !keyIds.includes(currentKeyId));
  return lacking.map((holder) =>
    error(
      tell(`${describeHolder(holder)} lacks the current key ${currentKeyId}`, 'processLacksKey', {
        pid: holder.pid,
        host: holder.host,
        held: holder.keyIds.join(', '),
        key: currentKeyId,
      }),
      advise('give it the current key and restart it; new secrets do not work there', 'giveKey', {}),
    ),
  );
}
