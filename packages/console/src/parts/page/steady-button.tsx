import { Button, type ButtonProps } from '@mantine/core';
import type { MouseEvent } from 'react';

interface Props extends Omit<ButtonProps, 'disabled' | 'data-disabled'> {
  /** Whether the button has nothing to do at present. */
  readonly isIdle: boolean;
  readonly type?: 'submit';
  readonly onClick?: () => void;
}

/** A button that keeps the focus while it has nothing to do. A disabled button would lose the focus to the page. */
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
