import { Group, Text, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type DragEvent, useMemo, useState } from 'react';
import type { Org } from '../../api/directory-lists.ts';
import { useTexts } from '../../i18n/texts.ts';
import { RowMenu } from '../../parts/page/row-menu.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import styles from './org-tree.module.css';

interface Props {
  readonly orgs: readonly Org[];
  readonly canChange: boolean;
  readonly onAdd: (parent: Org) => void;
  readonly onEdit: (org: Org) => void;
  readonly onRemove: (org: Org) => void;
  /** Called when one was dragged onto another. */
  readonly onMove: (id: string, parent: Org) => void;
}

/** Organizations below each other. Small trees are open at first. */
export function OrgTree(props: Props) {
  const { orgs } = props;
  const { orgs: texts } = useTexts();
  const children = useMemo(() => childrenOf(orgs), [orgs]);
  const roots = children.get('') ?? [];
  return (
    // The list takes the focus of an organization that is deleted.
    <ul className={styles.tree} aria-label={texts.title} tabIndex={-1}>
      {roots.map((org) => (
        <Branch key={String(org.id)} org={org} level={0} childrenById={children} {...props} />
      ))}
    </ul>
  );
}

/** Returns the organizations below each one by its id; those without a known parent are below `''`. */
function childrenOf(orgs: readonly Org[]): ReadonlyMap<string, Org[]> {
  const known = new Set(orgs.map(({ id }) => String(id)));
  return Map.groupBy(orgs, ({ parent_id }) => (known.has(String(parent_id)) ? String(parent_id) : ''));
}

interface BranchProps extends Props {
  readonly org: Org;
  readonly level: number;
  readonly childrenById: ReadonlyMap<string, Org[]>;
}

const levelPixels = 24;
const openLevels = 3;

function Branch({ org, level, childrenById, ...props }: BranchProps) {
  const [isOpen, setIsOpen] = useState(level < openLevels);
  const below = childrenById.get(String(org.id)) ?? [];
  const dragging = useDragging(org, props.onMove);
  return (
    <li>
      <div
        className={styles.row}
        style={{ paddingInlineStart: 12 + level * levelPixels }}
        {...(props.canChange && dragging)}
      >
        <Toggle of={org.name} isOpen={isOpen} isLeaf={below.length === 0} onToggle={setIsOpen} />
        <OrgName org={org} />
        {props.canChange && <OrgMenu org={org} {...props} />}
      </div>
      {isOpen && below.length > 0 && (
        <ul className={styles.below}>
          {below.map((child) => (
            <Branch
              key={String(child.id)}
              org={child}
              level={level + 1}
              childrenById={childrenById}
              {...props}
            />
          ))}
        </ul>
      )}
    </li>
  );
}

interface ToggleProps {
  readonly of: string;
  readonly isOpen: boolean;
  readonly isLeaf: boolean;
  readonly onToggle: (isOpen: boolean) => void;
}

function Toggle({ of, isOpen, isLeaf, onToggle }: ToggleProps) {
  const { orgs: texts } = useTexts();
  return (
    <UnstyledButton
      className={styles.toggle}
      data-open={isOpen}
      aria-expanded={isOpen}
      aria-label={texts.below(of)}
      disabled={isLeaf}
      onClick={() => onToggle(!isOpen)}
    >
      {!isLeaf && <IconChevronRight size="0.875rem" aria-hidden="true" />}
    </UnstyledButton>
  );
}

/** The name, which leads to the users of the organization, and the id by which other systems know it. */
function OrgName({ org: { id, name } }: Pick<BranchProps, 'org'>) {
  const { general } = useTexts();
  const tenant = useTenant();
  return (
    <>
      <Link
        to="/t/$tenant/users"
        params={{ tenant: String(tenant) }}
        search={{ org: String(id) }}
        className={styles.name}
      >
        {name}
      </Link>
      <Text span size="xs" c="dimmed" className={styles.id ?? ''}>
        {general.id(String(id))}
      </Text>
    </>
  );
}

type OrgMenuProps = Pick<BranchProps, 'org' | 'onAdd' | 'onEdit' | 'onRemove'>;

function OrgMenu({ org, onAdd, onEdit, onRemove }: OrgMenuProps) {
  const { orgs: texts } = useTexts();
  return (
    <Group ml="auto" gap={0} data-row-actions>
      <RowMenu
        of={org.name}
        items={[
          { label: texts.addBelow, run: () => onAdd(org) },
          { label: texts.edit, run: () => onEdit(org) },
          { label: texts.remove, run: () => onRemove(org), deletes: true },
        ]}
      />
    </Group>
  );
}

const draggedType = 'application/x-fieldroster-org';

/** Lets an organization be dragged onto another one. The menu offers the same to the keyboard. */
function useDragging(org: Org, onMove: Props['onMove']) {
  const [isOver, setIsOver] = useState(false);
  return {
    draggable: true,
    'data-over': isOver,
    onDragStart: ({ dataTransfer }: DragEvent) => {
      dataTransfer.setData(draggedType, String(org.id));
      dataTransfer.effectAllowed = 'move';
    },
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes(draggedType)) return;
      event.preventDefault();
      setIsOver(true);
    },
    onDragLeave: () => setIsOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setIsOver(false);
      onMove(event.dataTransfer.getData(draggedType), org);
    },
  };
}
