import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { useCanChange } from '../../api/use-can-change.ts';
import { type QueriedUser, userQuery } from '../../api/user-query.ts';
import { nameOf } from '../../api/user-search-query.ts';
import { userStoresQuery } from '../../api/user-stores-query.ts';
import { parseId } from '../../api/wire.ts';
import { type Texts, useTexts } from '../../i18n/texts.ts';
import { type PickedUser, UserPicker } from '../../parts/fields/user-picker.tsx';
import { FailureNotice } from '../../parts/notices/failure-notice.tsx';
import { ActionBar } from '../../parts/page/action-bar.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { SteadyButton } from '../../parts/page/steady-button.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import { readMoveSearch, useMoveSearch } from './move-search.ts';
import styles from './move-stores.module.css';
import { ResultingStores, StoresToMove, type UserStore } from './store-board.tsx';
import { useMove } from './use-move.tsx';

const nothing: ReadonlySet<string> = new Set();

/** Moves stores of one user to a colleague: who has them on the left, who gets them on the right. */
export function MoveStoresPage() {
  const { moveStores } = useTexts();
  const { from, to, selected, setSelected, pick } = useBoard();
  const canChange = useCanChange();
  const stores = from.stores ?? [];
  const moving = stores.filter(({ code }) => selected.has(code));
  const before = new Set(to.stores?.map(({ code }) => code));
  return (
    <>
      <PageHeader title={moveStores.title} />
      <Stack gap="md">
        {!canChange && <Text c="dimmed">{moveStores.viewer}</Text>}
        <div className={styles.board}>
          <Giver
            from={from}
            selected={selected}
            onSelect={setSelected}
            onPick={(user) => pick({ from: user && String(user.id) })}
          />
          <Taker
            to={to}
            arriving={moving.filter(({ code }) => !before.has(code))}
            onPick={(user) => pick({ to: user && String(user.id) })}
          />
        </div>
        <Preview
          from={from.user}
          to={to.stores && to.user}
          codes={moving.map(({ code }) => code)}
          isGiverPicked={from.isPicked}
          hasStores={from.stores === undefined || stores.length > 0}
          shared={moving.map(({ code }) => code).filter((code) => before.has(code))}
          onMoved={() => setSelected(nothing)}
        />
      </Stack>
    </>
  );
}

/** The two people, whom the address names, and the stores that are selected. */
function useBoard() {
  const search = useMoveSearch();
  const navigate = useNavigate();
  const from = useUserWithStores(search.from);
  const to = useUserWithStores(search.to);
  const [selected, setSelected] = useState(nothing);
  const pick = (part: Partial<Record<'from' | 'to', string | undefined>>) => {
    // Another giver has other stores.
    if ('from' in part) setSelected(nothing);
    navigate({ to: '.', search: readMoveSearch({ ...search, ...part }), replace: true });
  };
  return { from, to, selected, setSelected, pick };
}

interface GiverProps {
  readonly from: UserWithStores;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (codes: ReadonlySet<string>) => void;
  readonly onPick: (user: PickedUser | undefined) => void;
}

function Giver({ from, selected, onSelect, onPick }: GiverProps) {
  const { moveStores } = useTexts();
  const search = useMoveSearch();
  return (
    <section className={styles.column} aria-label={moveStores.from}>
      <UserPicker
        label={moveStores.from}
        user={from.user}
        obstacle={({ id }) => (String(id) === search.to ? moveStores.takes : undefined)}
        onPick={onPick}
      />
      <Stores of={from}>
        <StoresToMove stores={from.stores ?? []} selected={selected} onSelect={onSelect} />
      </Stores>
    </section>
  );
}

interface TakerProps {
  readonly to: UserWithStores;
  readonly arriving: readonly UserStore[];
  readonly onPick: (user: PickedUser | undefined) => void;
}

function Taker({ to, arriving, onPick }: TakerProps) {
  const { moveStores } = useTexts();
  const search = useMoveSearch();
  return (
    <section className={styles.column} aria-label={moveStores.to}>
      <UserPicker
        label={moveStores.to}
        user={to.user}
        obstacle={({ id, status }) => {
          if (String(id) === search.from) return moveStores.gives;
          return status === 'active' ? undefined : moveStores.disabled;
        }}
        onPick={onPick}
      />
      <Stores of={to}>
        <ResultingStores stores={to.stores ?? []} arriving={arriving} />
      </Stores>
    </section>
  );
}

interface UserWithStores {
  readonly isPicked: boolean;
  readonly user: QueriedUser | undefined;
  readonly stores: readonly UserStore[] | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
}

function useUserWithStores(text: string | undefined): UserWithStores {
  const tenant = useTenant();
  const id = parseId(text);
  const user = useQuery({ ...userQuery(tenant, id ?? 0), enabled: id !== undefined });
  const stores = useQuery({ ...userStoresQuery(tenant, id ?? 0), enabled: id !== undefined });
  return useMemo(
    () => ({
      isPicked: id !== undefined,
      user: user.data?.user,
      stores: stores.data?.stores,
      error: user.error ?? stores.error,
      retry() {
        user.refetch();
        stores.refetch();
      },
    }),
    [id, user, stores],
  );
}

interface StoresProps {
  readonly of: UserWithStores;
  readonly children: ReactNode;
}

function Stores({ of, children }: StoresProps) {
  if (!of.isPicked) return null;
  if (of.error !== null && of.stores === undefined)
    return <FailureNotice error={of.error} onRetry={of.retry} />;
  if (of.stores === undefined) return <Skeleton height={160} />;
  return children;
}

interface PreviewProps {
  readonly from: QueriedUser | undefined;
  readonly to: QueriedUser | undefined;
  readonly codes: readonly string[];
  readonly isGiverPicked: boolean;
  /** Whether the giver has stores to move, as far as is known. */
  readonly hasStores: boolean;
  readonly shared: readonly string[];
  readonly onMoved: () => void;
}

/** Says what will happen, and does it. */
function Preview(props: PreviewProps) {
  const { from, to, codes, shared, onMoved } = props;
  const { moveStores } = useTexts();
  const canChange = useCanChange();
  const move = useMove(onMoved);
  if (!canChange) return null;
  const isReady = from !== undefined && to !== undefined && codes.length > 0;
  return (
    <>
      {move.isError && <FailureNotice error={move.error} />}
      <ActionBar>
        <Text aria-live="polite" {...(!isReady && { c: 'dimmed' })}>
          {isReady
            ? moveStores.preview(codes.length, nameOf(from), nameOf(to), shared.length)
            : sayNextStep(moveStores, props)}
        </Text>
        <SteadyButton
          isIdle={!isReady}
          loading={move.isPending}
          onClick={() => isReady && move.mutate({ from, to, codes, shared })}
        >
          {moveStores.move(codes.length)}
        </SteadyButton>
      </ActionBar>
    </>
  );
}

/** Says what comes next: the representative, then the stores, then the colleague. */
function sayNextStep(
  { pickFrom, nothingToMove, chooseStore, pickTo }: Texts['moveStores'],
  { isGiverPicked, hasStores, codes }: PreviewProps,
): string {
  if (!isGiverPicked) return pickFrom;
  if (!hasStores) return nothingToMove;
  return codes.length === 0 ? chooseStore : pickTo;
}
