import { Link } from '@tanstack/react-router';
import type { AuditEvent } from '../../api/audit-event.ts';
import { nameOf } from '../../api/user-search-query.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useTenant } from '../use-tenant.ts';
import styles from './audited-user.module.css';

type About = Pick<AuditEvent, 'user_id' | 'user'>;

/** Names the user that a change was about, with a link to what is left of them. */
export function AuditedUser({ user_id, user }: About) {
  const { audit } = useTexts();
  const tenant = String(useTenant());
  const id = String(user_id);
  return (
    <span className={styles.user}>
      <Link to="/t/$tenant/users/$user" params={{ tenant, user: id }} className={styles.link}>
        {user === undefined ? audit.user(id) : nameOf(user)}
      </Link>
      <span className={styles.quiet}>
        {user !== undefined && user.real_name !== '' && ` ${user.username}`}
        {user?.deleted === true && ` ${audit.deletedUser}`}
      </span>
    </span>
  );
}

/** Returns whether a change was about one user. */
export function isAboutUser({ user_id }: About): boolean {
  return String(user_id) !== '0';
}
