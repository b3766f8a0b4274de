import { type RefObject, useEffect, useRef, useState } from 'react';
import { Icon } from '../../text/icons.tsx';

/**
 * The end of a log that grows. As long as it is in sight, the page follows it; else a button jumps
 * there. `size` changes with the log's content.
 */
export function Newest({ size, busy }: { size: number; busy: boolean }) {
  const end = useRef<HTMLDivElement>(null);
  const isInSight = useInSight(end);
  const wasInSight = useRef(false);
  useEffect(() => {
    if (busy && wasInSight.current) end.current?.scrollIntoView({ block: 'end' });
  }, [size, busy]);
  // After the effect above: what has just come must not count as scrolled away.
  useEffect(() => {
    wasInSight.current = isInSight;
  }, [isInSight]);
  return (
    <>
      <div ref={end} className="newest-end" />
      {!isInSight && (
        <div className="newest">
          <button
            type="button"
            className="button button-small"
            onClick={() => end.current?.scrollIntoView({ block: 'end', behavior: 'smooth' })}
          >
            <Icon name="down" size={14} />
            Jump to the newest
          </button>
        </div>
      )}
    </>
  );
}

function useInSight(end: RefObject<HTMLElement | null>): boolean {
  const [isInSight, setInSight] = useState(true);
  useEffect(() => {
    if (!end.current) return undefined;
    const observer = new IntersectionObserver(([entry]) =>
      setInSight(entry?.isIntersecting ?? true),
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [end]);
  return isInSight;
}
