import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditEvent } from '../../api/audit-event.ts';
import { beginAuditCsv } from './audit-csv.ts';

const event: AuditEvent = {
  id: 7,
  at: 1_764_340_000_000,
  actor: { kind: 'operator', id: '3', name: 'x;=1+1' },
  operation: 'update-user',
  user_id: 80,
  user: { username: '=1+1', real_name: '', deleted: false },
  request_id: 'request',
  changes: { nickname: { from: '', to: 'a, "b"' } },
};

test('changes are exported so that no spreadsheet runs a text of theirs as a formula', async () => {
  const file = await beginAuditCsv();
  file.add([event, event]);
  const line = `7,2025-11-28T14:26:40.000Z,operator,3,"x;'=1+1",update-user,80,'=1+1,request,"{""nickname"":{""from"":"""",""to"":""a, \\""b\\""""}}"\n`;
  assert.equal(
    file.parts.join(''),
    `\ufeffid,at,actor_kind,actor_id,actor_name,operation,user_id,username,request_id,changes\n${line}${line}`,
  );
});
