import type { Application } from '../../api/applications-query.ts';
import { useTexts } from '../../i18n/texts.ts';
import { StatusDot } from '../../parts/values/status-dot.tsx';

const tones = { active: 'good', suspended: 'off', revoked: 'bad' } as const;

export function ApplicationStatus({ status }: Pick<Application, 'status'>) {
  const { general } = useTexts();
  return <StatusDot tone={tones[status]} word={general[status]} />;
}
