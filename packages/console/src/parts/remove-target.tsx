import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError } from '../api/call.ts';
import { useTexts } from '../i18n/texts.ts';
import { notifyDone } from './notify.ts';
import { TypedConfirmation } from './typed-confirmation.tsx';

interface Props {
  readonly title: string;
  /** What to type. */
  readonly name: string;
  /** The codes by which the server says that users are assigned, and how many. */
  readonly boundCodes: readonly number[];
  readonly remove: (force: boolean) => Promise<unknown>;
  readonly done: string;
  readonly refreshed: readonly string[];
  readonly onClose: () => void;
}

/**
 * Deletes a role, an organization or a store. If users are assigned to it, the server's refusal says how many, and only
 * a second confirmation unassigns them.
 */
export function RemoveTarget({ title, name, boundCodes, remove, done, refreshed, onClose }: Props) {
  const { targets } = useTexts();
  const client = useQueryClient();
  const [bound, setBound] = useState<string>();
  const mutation = useMutation({
    mutationFn: () => remove(bound !== undefined),
    onError(error) {
      if (error instanceof CallError && boundCodes.includes(error.code)) setBound(error.message);
    },
    onSuccess() {
      for (const key of refreshed) client.invalidateQueries({ queryKey: [key] });
      notifyDone(done);
    },
  });
  return (
    <TypedConfirmation
      opened
      onClose={onClose}
      title={title}
      help={bound === undefined ? targets.removeHelp(name) : targets.forceHelp(bound)}
      name={name}
      action={bound === undefined ? title : targets.force}
      mutation={mutation}
    />
  );
}
