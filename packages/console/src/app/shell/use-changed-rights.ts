import { useEffect, useEffectEvent, useRef } from 'react';
import type { Session } from '../../api/session.ts';
import { sameId } from '../../api/wire.ts';
import { useTexts } from '../../i18n/texts.ts';
import { notifyWarning } from '../../parts/notices/notify.ts';

/** Says so when an owner has changed what the operator may do: buttons, dialogs and pages come or go with it. */
export function useChangedRights(session: Session | null): void {
  const { failure, settings } = useTexts();
  const known = useRef(session?.operator);
  const compare = useEffectEvent((next: Session['operator'] | undefined) => {
    const before = known.current;
    known.current = next;
    if (before === undefined || next === undefined || !sameId(before.id, next.id)) return;
    if (before.role === next.role && before.all_tenants === next.all_tenants) return;
    notifyWarning(failure.rightsChanged(settings.operators.roles[next.role], next.all_tenants));
  });
  useEffect(() => compare(session?.operator), [session]);
}
