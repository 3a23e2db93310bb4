import { Button, type ButtonProps } from '@mantine/core';
import type { MouseEvent } from 'react';

interface Props extends Omit<ButtonProps, 'disabled' | 'data-disabled'> {
  /** Whether there is nothing to do at present. */
  readonly isIdle: boolean;
  readonly type?: 'submit';
  readonly onClick?: () => void;
}

/** A button that keeps the focus when its work is done. One that is disabled instead loses it to the page. */
export function SteadyButton({ isIdle, onClick, ...props }: Props) {
  return (
    <Button
      {...props}
      aria-disabled={isIdle}
      {...(isIdle && { 'data-disabled': true })}
      onClick={(event: MouseEvent) => {
        if (isIdle) return event.preventDefault();
        onClick?.();
      }}
    />
  );
}
