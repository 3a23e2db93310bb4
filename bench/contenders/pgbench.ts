import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newDirectory } from '../directory/new-directory.ts';
import { seeded } from '../directory/seeded-user.ts';
import type { StartContender } from '../measurement.ts';
import { isInstalled, runPinned } from '../process/pinned.ts';

export function pgbenchIsMissing(): string | undefined {
  return isInstalled('pgbench') ? undefined : 'pgbench is not installed';
}

/**
 * PostgreSQL's own load generator with the statements of a binding, one after the other in a transaction.
 *
 * @param connections as many as the server uses for writes
 */
export function pgbenchBindings(connections: number): StartContender {
  return async (bench, subject) => {
    const { database = '', users } = await newDirectory(bench, subject, 'PostgreSQL');
    const script = join(bench.newFolder(), 'bind-user-store.sql');
    writeFileSync(script, bindingScript(users));
    return async (seconds) => {
      const duration = `--time=${Math.max(1, Math.round(seconds))}`;
      const flags = ['--no-vacuum', '--protocol=prepared', `--client=${connections}`, duration];
      const output = await runPinned(bench.cores.load, ['pgbench', ...flags, `--file=${script}`, database]);
      const [, value = ''] = /^tps = ([\d.]+)/m.exec(output) ?? [];
      const [, failed = ''] = /^number of failed transactions: (\d+)/m.exec(output) ?? [];
      return { value: Number(value), failures: Number(failed) };
    };
  };
}

/**
 * Returns the statements that the server sends, written by hand; `pgbench` replaces what begins with a colon. A store
 * that the user has already, which the server would not insert, is a rare conflict here.
 */
function bindingScript(users: number): string {
  const signature = 'sha256(cast(random() as text)::bytea)';
  return `\\set user random(1, ${users})
\\set store random(0, ${seeded.stores - 1})
\\set request random(1, 1000000000)
begin;
insert into accepted_write (expires_at_seconds, signature, request_id)
  values (extract(epoch from now())::bigint + 120, ${signature}, :request) on conflict do nothing;
select id, username, status, revision, real_name, nickname, gender, email, phone, department, avatar, unique_code, ext_info
  from "user" where tenant_id = 1 and id = :user for no key update;
select (select code from store where tenant_id = 1 and code = 'S' || lpad(cast(:store as text), 7, '0')),
  (select store_code from user_store
    where tenant_id = 1 and user_id = :user and store_code = 'S' || lpad(cast(:store as text), 7, '0'));
insert into user_store (tenant_id, user_id, store_code)
  values (1, :user, 'S' || lpad(cast(:store as text), 7, '0')) on conflict do nothing;
update "user" set without_store = 0, revision = revision + 1, updated_at = extract(epoch from now())::bigint * 1000
  where tenant_id = 1 and id = :user;
insert into audit_event (tenant_id, at, app_id, request_id, operation, user_id, changes)
  values (1, extract(epoch from now())::bigint * 1000, 'bench', :request, 'bind-user-store', :user,
    '{"stores":{"added":["S0000000"]}}');
commit;
`;
}
