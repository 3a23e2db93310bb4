import { useSession } from '../../api/session.ts';

/** Tells password managers whose password a form asks for. */
export function OwnUsername() {
  const { operator } = useSession();
  return <input type="text" hidden readOnly autoComplete="username" value={operator.username} />;
}
