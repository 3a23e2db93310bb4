import { Button, type ButtonProps } from '@mantine/core';
import { type MouseEvent, useEffect, useRef } from 'react';

interface Props extends Omit<ButtonProps, 'disabled' | 'data-disabled'> {
  /** Whether there is nothing to do at present. */
  readonly isIdle: boolean;
  readonly type?: 'submit';
  readonly onClick?: () => void;
}

/** A button that keeps the focus when its work is done. One that is disabled instead loses it to the page. */
export function SteadyButton({ isIdle, loading = false, onClick, ...props }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const wasPressed = useRef(false);
  useEffect(() => {
    if (loading || !wasPressed.current) return;
    wasPressed.current = false;
    // While it works it is disabled after all.
    if (document.activeElement === document.body) button.current?.focus();
  }, [loading]);
  return (
    <Button
      {...props}
      ref={button}
      loading={loading}
      aria-disabled={isIdle}
      {...(isIdle && { 'data-disabled': true })}
      onClick={(event: MouseEvent) => {
        if (isIdle) return event.preventDefault();
        wasPressed.current = true;
        onClick?.();
      }}
    />
  );
}
