import { isTargetField } from '@fieldroster/tables';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { orgsQuery, rolesQuery } from '../../../api/directory-lists.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useTenant } from '../../../parts/use-tenant.ts';
import { orgPaths } from '../../../parts/values/org-paths.ts';
import type { RowOutcome } from '../job/import-job.ts';

/** Writes the value of a changed field. A role or an organization gets its name before its id. */
export type LabelValue = (field: string, value: string) => string;

/** Labels roles and organizations. Reads each of the two lists only if one of the rows changes that field. */
export function useTargetLabels(rows: readonly RowOutcome[]): LabelValue {
  const { importTexts } = useTexts();
  const tenant = useTenant();
  const [hasRole, hasOrg] = useMemo(() => [hasChange(rows, 'role_id'), hasChange(rows, 'org_id')], [rows]);
  const { data: roles } = useQuery({ ...rolesQuery(tenant), enabled: hasRole });
  const { data: orgs } = useQuery({ ...orgsQuery(tenant), enabled: hasOrg });
  const names = useMemo(
    () => ({
      role_id: new Map(roles?.map(({ id, name }) => [String(id), name])),
      org_id: orgPaths(orgs ?? []),
    }),
    [roles, orgs],
  );
  return useCallback(
    (field, value) => {
      const name = isTargetField(field) ? names[field].get(value) : undefined;
      return name === undefined ? value : importTexts.target(name, value);
    },
    [names, importTexts],
  );
}

function hasChange(rows: readonly RowOutcome[], wanted: string): boolean {
  return rows.some(({ changes }) => changes.some(({ field }) => field === wanted));
}
