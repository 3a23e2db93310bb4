import { Type } from 'typebox';
import { oneOf, text, time } from '../fields.ts';
import { defineConsoleOperation } from './console-operation.ts';
import type { SaidAdvice, SaidFinding } from './findings.ts';

const days = (description: string) =>
  Type.Integer({ minimum: 0, description: `${description}, in days; 0 keeps them forever` });

function asData<Said>(description: string) {
  return Type.Unsafe<Said>({ type: 'object', additionalProperties: true, description });
}

const backupFile = text('File of the backup, on the node that made it');

export const queryDeployment = defineConsoleOperation({
  name: 'query-deployment',
  method: 'GET',
  path: '/deployment',
  reach: 'deployment',
  role: 'owner',
  summary: 'Show how long records are kept, and the last and the next backup',
  data: Type.Object({
    release: text('Release of the server'),
    engine: oneOf('Engine of the database', ['sqlite', 'postgres']),
    audit_days: days('How long audit rows are kept'),
    calls_days: Type.Integer({
      minimum: 0,
      description: 'How long counts of calls are kept, in days; 0 records no calls',
    }),
    failed_calls_days: Type.Integer({ minimum: 0, description: 'How long failed calls are kept, in days' }),
    backup_every_ms: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Time from one scheduled backup to the next; absent without a schedule',
      }),
    ),
    backup_folder: Type.Optional(text('Folder of the scheduled backups; absent without a schedule')),
    backups_kept: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'How many scheduled backups are kept; absent without a schedule',
      }),
    ),
    next_backup_at: Type.Optional(time('When the next scheduled backup is due')),
    last_backup: Type.Optional(
      Type.Object({
        at: time('The moment that the backup shows'),
        file: backupFile,
        bytes: Type.Integer({ minimum: 0, description: 'Size of the file' }),
      }),
    ),
    verification: Type.Optional(
      Type.Object({
        state: oneOf('How far the last verification came', ['running', 'good', 'failed']),
        at: time('When it began, or once it has ended, when it ended'),
        file: backupFile,
        problem: Type.Optional(text('Why it failed')),
      }),
    ),
  }),
  codes: [],
});

export const examineDeployment = defineConsoleOperation({
  name: 'examine-deployment',
  method: 'GET',
  path: '/deployment/findings',
  reach: 'deployment',
  role: 'owner',
  summary: "Run the doctor's quick checks",
  data: Type.Object({
    findings: Type.Array(
      Type.Object({
        check: text('Name of the check'),
        level: oneOf('How bad it is', ['ok', 'note', 'warning', 'error']),
        message: text('What was found'),
        advice: Type.Optional(text('What to do about it')),
        said: Type.Optional(asData<SaidFinding>('The message as data, for other languages')),
        advised: Type.Optional(asData<SaidAdvice>('The advice as data')),
      }),
    ),
  }),
  codes: [1618],
});

export const verifyBackup = defineConsoleOperation({
  name: 'verify-backup',
  method: 'POST',
  path: '/deployment/verification',
  reach: 'deployment',
  role: 'owner',
  summary: 'Begin to restore the last backup into a temporary database; query-deployment shows how it ended',
  body: Type.Object({}),
  codes: [1617, 1618],
});
