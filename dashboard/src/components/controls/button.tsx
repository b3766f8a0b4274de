import type { ComponentProps } from 'react';

type Look = 'plain' | 'primary' | 'danger' | 'danger-fill' | 'quiet';

export function buttonClass(look: Look = 'plain', small = false): string {
  return ['button', look !== 'plain' && `button-${look}`, small && 'button-small']
    .filter(Boolean)
    .join(' ');
}

interface Props extends ComponentProps<'button'> {
  look?: Look;
  small?: boolean;
  /** Shows a spinner and ignores clicks. Keeps the focus, unlike `disabled`. */
  busy?: boolean;
}

export function Button({
  look = 'plain',
  small = false,
  busy = false,
  children,
  className = '',
  onClick,
  type = 'button',
  ...rest
}: Props) {
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      className={`${buttonClass(look, small)} ${className}`}
      onClick={event => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy && <span className="spinner" />}
      {children}
    </button>
  );
}
