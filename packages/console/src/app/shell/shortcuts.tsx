import { Kbd, Modal, Table } from '@mantine/core';
import { useTexts } from '../../i18n/texts.ts';
import { paletteKeys } from '../palette/palette-keys.ts';

const everywhere = [
  { keys: [paletteKeys], what: 'palette' },
  { keys: ['?'], what: 'shortcuts' },
  { keys: ['Esc'], what: 'close' },
] as const;

const inLists = [
  { keys: ['/'], what: 'search' },
  { keys: ['↑', '↓'], what: 'oneRow' },
  { keys: ['Page Up', 'Page Down'], what: 'tenRows' },
  { keys: ['Home', 'End'], what: 'ends' },
  { keys: ['Enter'], what: 'open' },
  { keys: ['Space'], what: 'select' },
  { keys: ['Tab'], what: 'actions' },
  { keys: ['Tab', 'Shift Tab'], what: 'details' },
] as const;

/** The keys that do something in the console. */
export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  const { help } = useTexts();
  return (
    <Modal opened onClose={onClose} title={help.shortcuts}>
      <KeyTable title={help.everywhere} shortcuts={everywhere} />
      <KeyTable title={help.inLists} shortcuts={inLists} />
    </Modal>
  );
}

interface KeyTableProps {
  readonly title: string;
  readonly shortcuts: typeof everywhere | typeof inLists;
}

function KeyTable({ title, shortcuts }: KeyTableProps) {
  const { help } = useTexts();
  return (
    <Table withRowBorders={false} verticalSpacing={4} horizontalSpacing={0} mb="sm">
      <Table.Caption style={{ captionSide: 'top', textAlign: 'start' }} mt={0} fz="xs" fw={600}>
        {title}
      </Table.Caption>
      <Table.Tbody>
        {shortcuts.map(({ keys, what }) => (
          <Table.Tr key={what}>
            <Table.Th fw={400}>{help.what[what]}</Table.Th>
            <Table.Td ta="end" style={{ whiteSpace: 'nowrap' }}>
              {keys.map((key) => (
                <Kbd key={key} size="xs" ml={4}>
                  {key}
                </Kbd>
              ))}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
