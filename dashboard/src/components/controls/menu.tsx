import { type ReactNode, useId, useRef } from 'react';

/** A button with a popover. The browser handles Escape, clicks outside and the focus. */
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
    const left = Math.max(8, Math.min(from.left, window.innerWidth - box.offsetWidth - 8));
    const below = from.bottom + 4;
    const above = Math.max(8, from.top - box.offsetHeight - 4);
    const top = below + box.offsetHeight > window.innerHeight ? above : below;
    box.style.left = `${left}px`;
    box.style.top = `${top}px`;
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
