import type { AuditEvent } from '../../api/audit-event.ts';
import { useTexts } from '../../i18n/texts.ts';

/** Names the operator, application or command that made a change. */
export function ActorName({ actor }: Pick<AuditEvent, 'actor'>) {
  const { audit } = useTexts();
  const { kind, id, name } = actor;
  if (kind === 'command') return <>{name === '' ? audit.command : audit.commandBy(name)}</>;
  return <>{name === '' ? audit.unknownActor(kind, id) : name}</>;
}
