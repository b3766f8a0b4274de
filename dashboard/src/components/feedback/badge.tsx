import type { ReactNode } from 'react';

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'accent' | 'merged' | 'closed' | 'line';

export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`badge ${tone === 'plain' ? '' : `badge-${tone}`}`}>{children}</span>;
}
