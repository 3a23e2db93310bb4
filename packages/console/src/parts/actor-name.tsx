import type { OwnResult } from '../api/call.ts';
import { useTexts } from '../i18n/texts.ts';

type AuditEvent = OwnResult<'listEvents'>['events'][number];

/** Who made a change. */
export function ActorName({ actor }: Pick<AuditEvent, 'actor'>) {
  const { audit } = useTexts();
  const { kind, id, name } = actor;
  if (kind === 'command') return <>{name === '' ? audit.command : `${audit.command}: ${name}`}</>;
  return <>{name === '' ? audit.unknownActor(kind, id) : name}</>;
}
