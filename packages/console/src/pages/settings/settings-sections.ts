import { useSession } from '../../api/session.ts';

/** The sections of the settings, in their order. Each is at the address of the settings with its name after `#`. */
const account = ['password', 'factor', 'sessions'] as const;
const deployment = ['operators', 'tenants', 'backups', 'doctor', 'retention'] as const;

export type SettingsSection = (typeof account)[number] | (typeof deployment)[number];

interface SectionGroup {
  readonly key: 'account' | 'deployment';
  readonly sections: readonly SettingsSection[];
}

/** Returns the sections that the operator sees. Those of the deployment are for owners of all tenants. */
export function useSectionGroups(): readonly SectionGroup[] {
  const { role, all_tenants } = useSession().operator;
  const own = { key: 'account', sections: account } as const;
  if (role !== 'owner' || !all_tenants) return [own];
  return [own, { key: 'deployment', sections: deployment }];
}
