import type { ReactNode } from 'react';

/** A message about its surroundings. Screen readers read `bad` at once. */
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
