import { addressItem, type Use } from './addresses.ts';
import { type Report, squeeze } from './item.ts';
import { judgeTemplate } from './templates.ts';

const TEMPLATE = /\{\{[^{}]*\}\}|\{%[^{}]*%\}/g;

/** Judges an address: the templates in it, and what is left without them. */
export function judgeAddress(
  address: string,
  use: Use,
  { at, what, from }: { at: number; what: string; from: string },
  report: Report,
): void {
  for (const { index } of address.matchAll(TEMPLATE))
    judgeTemplate(address, index, (_, item) => report(at, item));
  const item = addressItem(address.replace(TEMPLATE, ''), use, from);
  if (item) report(at, { ...item, what: `${what} to \`${squeeze(address).slice(0, 60)}\`` });
}
