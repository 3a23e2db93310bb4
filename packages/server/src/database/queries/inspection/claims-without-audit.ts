import { sql } from 'kysely';
import { type Faults, faultsCountedMax } from '../../database.ts';
import type { Session } from '../session.ts';
import { faultsOf } from './faults.ts';

const pageRows = 2_000;

/**
 * How far an audit row's time may be from the end of its claim, in milliseconds. A claim ends a minute after its
 * Timestamp, which may be a minute off. A write is dated when it ends, which a large batch may do minutes later; the rest
 * allows for clocks that differ.
 */
const aroundExpiryMs = { before: 240_000, after: 900_000 };

interface ClaimRow {
  readonly expires_at_seconds: bigint;
  readonly signature: Uint8Array;
  readonly request_id: string;
}

/**
 * Finds accepted writes without an audit row. Both are written in one transaction, so a claim that was read has its
 * audit row already.
 */
export async function findClaimsWithoutAudit(
  session: Session,
): Promise<Faults & { readonly claims: number }> {
  const missing: string[] = [];
  let claims = 0;
  let page = await readPage(session);
  while (page.length > 0 && missing.length < faultsCountedMax) {
    claims += page.length;
    const audited = await readAudited(session, page);
    missing.push(...page.map(({ request_id }) => request_id).filter((id) => !audited.has(id)));
    page = await readPage(session, page.at(-1));
  }
  return { ...faultsOf(missing.map((id) => `the write of request ${id}`)), claims };
}

function readPage({ db }: Session, after?: ClaimRow): Promise<ClaimRow[]> {
  return db
    .selectFrom('accepted_write')
    .select(['expires_at_seconds', 'signature', 'request_id'])
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(expires_at_seconds, signature) > (${after?.expires_at_seconds}, ${after?.signature})`,
      ),
    )
    .orderBy('expires_at_seconds')
    .orderBy('signature')
    .limit(pageRows)
    .execute();
}

async function readAudited({ db, engine }: Session, page: readonly ClaimRow[]): Promise<ReadonlySet<string>> {
  const first = Number(page[0]?.expires_at_seconds) * 1000 - aroundExpiryMs.before;
  const last = Number(page.at(-1)?.expires_at_seconds) * 1000 + aroundExpiryMs.after;
  const ids = engine.encodeTexts(page.map(({ request_id }) => request_id));
  const rows = await db
    .selectFrom('tenant')
    .innerJoin('audit_event', 'audit_event.tenant_id', 'tenant.id')
    .select('audit_event.request_id')
    .distinct()
    .where('audit_event.at', '>=', BigInt(first))
    .where('audit_event.at', '<=', BigInt(last))
    .where(engine.isListed('audit_event.request_id', ids))
    .execute();
  const ofOperators = await db
    .selectFrom('operator_event')
    .select('request_id')
    .where('at', '>=', BigInt(first))
    .where('at', '<=', BigInt(last))
    .where(engine.isListed('request_id', ids))
    .execute();
  return new Set([...rows, ...ofOperators].map(({ request_id }) => request_id ?? ''));
}
