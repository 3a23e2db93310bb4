import type { Page } from 'playwright-core';
import { newChangeId } from '../../packages/console/src/api/change-id.ts';

/** Returns the headers that a page of the console would send with a new change of the operator who is signed in. */
export async function headersOfChange({
  page,
  origin,
}: {
  readonly page: Page;
  readonly origin: string;
}): Promise<Record<string, string>> {
  const session = await page.request.get(`${origin}/console/api/session`);
  const { data } = await session.json();
  return {
    Origin: origin,
    'X-Fieldroster-Console': '1',
    'Change-Id': newChangeId(),
    ...(data && { 'Operator-Id': String(data.operator.id) }),
  };
}
