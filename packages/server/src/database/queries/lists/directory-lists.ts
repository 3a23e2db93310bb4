import type {
  AuditEntry,
  AuditListRequest,
  DirectoryLists,
  ListedUser,
  Page,
  UserListRequest,
} from '../../database.ts';
import type { Session } from '../session.ts';
import { listAuditEvents } from './list-audit-events.ts';
import { listUsers } from './list-users.ts';

/** One tenant's lists over a connection. */
export class KyselyDirectoryLists implements DirectoryLists {
  readonly #session: Session;
  readonly #tenantId: bigint;

  constructor(session: Session, tenantId: bigint) {
    this.#session = session;
    this.#tenantId = tenantId;
  }

  listUsers(request: UserListRequest): Promise<Page<ListedUser>> {
    return listUsers(this.#session, this.#tenantId, request);
  }

  listAuditEvents(request: AuditListRequest): Promise<Page<AuditEntry>> {
    return listAuditEvents(this.#session, this.#tenantId, request);
  }
}
