import { useParams } from '@tanstack/react-router';
import { type Id, parseId } from '../api/wire.ts';

/** Returns the tenant in the address. Only pages below `/t/$tenant` use it. */
export function useTenant(): Id {
  const { tenant } = useParams({ strict: false });
  const id = parseId(tenant);
  if (id === undefined) throw new TypeError('the address has no tenant');
  return id;
}
