import type { ManagedRole, RoleFields, RoleWriter, TargetReader } from '../../database.ts';
import { toRole } from '../records.ts';
import type { Schema } from '../schema.ts';
import type { Session } from '../session.ts';
import { lockTenant } from '../tenants/lock-tenant.ts';
import { roleColumns } from './target-columns.ts';
import { targetQueries } from './target-queries.ts';
import { insertTarget, type Transaction, targetReader, targetWriter } from './target-writer.ts';

const queries = targetQueries<'role', bigint, RoleRow, ManagedRole>(
  'role.id',
  (db, tenantId) =>
    db
      .selectFrom('role')
      .select([...roleColumns, 'role.revision'])
      .where('role.tenant_id', '=', tenantId),
  (row) => ({ ...toRole(row), revision: row.revision }),
);

type RoleRow = Parameters<typeof toRole>[0] & { revision: bigint };

export function roleReader(session: Session, tenantId: bigint): TargetReader<bigint, ManagedRole> {
  return targetReader(session, tenantId, queries, { table: 'role', beforeAll: 0n });
}

export function roleWriter(transaction: Transaction): RoleWriter {
  const { session, tenantId } = transaction;
  return {
    ...roleReader(session, tenantId),
    ...targetWriter(transaction, queries, { table: 'role', toColumns }),
    async insert(id, fields) {
      await lockTenant(session, tenantId);
      const columns = { ...emptyRole, ...toColumns(fields) };
      return insertTarget(transaction, queries, { table: 'role', id, columns });
    },
  };
}

const emptyRole = { name: '', system_id: 0n, position: 0n, description: '', code: null };

type RoleColumns = Partial<Pick<Schema['role'], keyof typeof emptyRole>>;

function toColumns({ name, systemId, position, description, code }: RoleFields): RoleColumns {
  return {
    ...(name !== undefined && { name }),
    ...(systemId !== undefined && { system_id: systemId }),
    ...(position !== undefined && { position: BigInt(position) }),
    ...(description !== undefined && { description }),
    ...(code !== undefined && { code: code === '' ? null : code }),
  };
}
