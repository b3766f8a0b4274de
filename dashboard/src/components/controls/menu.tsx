import { type ReactNode, useId, useRef } from 'react';

/**
 * A button that opens a popover under it: light dismissal, Escape and the focus's way back are the
 * browser's own.
 */
export function Menu({
  button,
  className,
  label,
  children,
}: {
  button: ReactNode;
  className: string;
  label: string;
  children: ReactNode;
}) {
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const popover = useRef<HTMLDivElement>(null);
  const place = () => {
    const from = opener.current?.getBoundingClientRect();
    const box = popover.current;
    if (!from || !box) return;
    box.style.left = `${Math.max(8, Math.min(from.left, window.innerWidth - box.offsetWidth - 8))}px`;
    const below = from.bottom + 4;
    box.style.top = `${below + box.offsetHeight > window.innerHeight ? Math.max(8, from.top - box.offsetHeight - 4) : below}px`;
  };
  return (
    <>
      <button ref={opener} type="button" className={className} popoverTarget={id}>
        {button}
        <span className="visually-hidden">, {label}</span>
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        className="menu-popover"
        role="group"
        aria-label={label}
        onToggle={place}
        onClick={event => {
          if ((event.target as Element).closest('a, button')) popover.current?.hidePopover();
        }}
      >
        {children}
      </div>
    </>
  );
}
