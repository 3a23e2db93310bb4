import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import icon from '../../app/icon.svg';
import { useTexts } from '../../i18n/texts.ts';
import { useTitle } from './use-title.ts';
import styles from './visitor-card.module.css';

interface Props {
  readonly title: string;
  readonly help?: ReactNode;
  readonly children?: ReactNode;
}

/** The frame of the pages that visitors see. */
export function VisitorCard({ title, help, children }: Props) {
  const { product } = useTexts();
  useTitle(title);
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <div className={styles.brand}>
          <img src={icon} alt="" />
          {product}
        </div>
        <Title order={1} mb={help === undefined ? 'md' : 4}>
          {title}
        </Title>
        {help !== undefined && (
          <Text c="dimmed" mb={children === undefined ? 0 : 'md'}>
            {help}
          </Text>
        )}
        {children}
      </div>
    </main>
  );
}
