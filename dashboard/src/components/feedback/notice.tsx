import type { ReactNode } from 'react';

/** A sentence about the thing beside it; `bad` is read out at once. */
export function Notice({
  tone,
  children,
}: {
  tone: 'bad' | 'good' | 'warn' | 'plain';
  children: ReactNode;
}) {
  return (
    <div className={`notice notice-${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <div>{children}</div>
    </div>
  );
}
