import type { EarlierReport } from './compare.ts';

type Run = EarlierReport;
type Row = Run['cases'][number];

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; }
.row { display: grid; grid-auto-flow: column; grid-auto-columns: minmax(20rem, 1fr); gap: 1rem;
  overflow-x: auto; }
pre { font-size: 12px; white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid #8884;
  padding: .5rem; }
ins, del { text-decoration: none; display: block; }
ins { background: #2da44e33; }
del { background: #cf222e33; }
b { color: #57606a; }
@media (prefers-color-scheme: dark) { body { background: #16181c; color: #e6e6e6; } }`;

/**
 * A page with what people changed in each case, beside what each run did. It runs and loads
 * nothing: a model wrote part of it.
 */
export function diffsPage(runs: readonly Run[]): string {
  const cases = runs.at(-1)?.cases ?? [];
  return [
    '<!doctype html><meta charset="utf-8"><title>Evaluation</title>',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<style>${STYLE}</style>`,
    `<h1>${escapeHtml(runs.map(titleOf).join(' beside '))}</h1>`,
    ...cases.map(one => section(one, runs)),
    '',
  ].join('\n');
}

function section(one: Row, runs: readonly Run[]): string {
  const columns = runs.map(run => {
    const found = run.cases.find(({ id }) => id === one.id);
    const said = found ? `${found.status}, line F1 ${found.lineF1.toFixed(2)}` : 'not run';
    return column(`${titleOf(run)}: ${said}`, found?.diff);
  });
  return [
    `<h2>${escapeHtml(one.id)}</h2><blockquote>${escapeHtml(one.prompt ?? '')}</blockquote>`,
    `<div class="row">${column('People', one.referenceDiff)}${columns.join('')}</div>`,
  ].join('\n');
}

function column(title: string, diff: string | undefined): string {
  const lines = (diff || 'No change.\n').replace(/\n$/, '').split('\n').map(line);
  return `<div><h3>${escapeHtml(title)}</h3><pre>${lines.join('')}</pre></div>`;
}

function line(text: string): string {
  const [tag, end] = /^(?:\+\+\+|---|diff |@@|index |new file|deleted file)/.test(text)
    ? ['b', '\n']
    : text.startsWith('+')
      ? ['ins', '']
      : text.startsWith('-')
        ? ['del', '']
        : ['span', '\n'];
  // An empty block has no height.
  return `<${tag}>${escapeHtml(text || ' ')}</${tag}>${end}`;
}

function titleOf({ runId, variant }: Run): string {
  const said = [variant?.endpoint, variant?.model].filter(Boolean).join(', ');
  return said === '' ? runId : `${said} (${runId})`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}
