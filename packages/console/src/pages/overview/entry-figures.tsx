import { Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Id } from '../../api/wire.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useNumberFormat } from '../../parts/use-number-format.ts';
import { useTenant } from '../../parts/use-tenant.ts';
import styles from './overview.module.css';
import type { Health } from './overview-queries.ts';

interface Props {
  readonly health: Health;
}

/** How much the directory holds. */
export function EntryFigures({ health }: Props) {
  const { overview } = useTexts();
  const tenant = String(useTenant());
  const { counts, applications } = health;
  return (
    <dl className={styles.figures}>
      <Figure
        name={
          <Link to="/t/$tenant/users" params={{ tenant }}>
            {overview.users}
          </Link>
        }
        value={counts?.users}
      />
      <Figure
        name={
          <Link to="/t/$tenant/stores" params={{ tenant }}>
            {overview.stores}
          </Link>
        }
        value={counts?.stores}
      />
      <Figure name={overview.bindings} value={counts?.bindings} />
      <Figure
        name={
          <Link to="/t/$tenant/applications" params={{ tenant }}>
            {overview.applications}
          </Link>
        }
        value={applications}
      />
    </dl>
  );
}

interface FigureProps {
  readonly name: React.ReactNode;
  readonly value: Id | undefined;
}

function Figure({ name, value }: FigureProps) {
  const { overview } = useTexts();
  const number = useNumberFormat();
  return (
    <div className={styles.figure}>
      <dt>{name}</dt>
      <dd>
        {value === undefined ? (
          <Tooltip label={overview.counting}>
            <span>
              <span aria-hidden="true">…</span>
              <span className={styles.unseen}>{overview.counting}</span>
            </span>
          </Tooltip>
        ) : (
          number(value)
        )}
      </dd>
    </div>
  );
}
