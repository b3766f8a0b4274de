import { type Html, html } from '../html.ts';
import type { FileDiff } from './parse-diff.ts';

/** With more files than this, each is folded until it is opened. */
const MOST_UNFOLDED = 5;

/** Files up to `maxLines` lines in all; what is left out is said by the caller. */
export function renderDiff(files: FileDiff[], maxLines: number): { view: Html; complete: boolean } {
  let left = maxLines;
  const sections: Html[] = [];
  for (const [index, file] of files.entries()) {
    if (left <= 0) break;
    sections.push(renderFile(file, `file-${index + 1}`, left, files.length <= MOST_UNFOLDED));
    left -= file.lines.length + 1;
  }
  return { view: html`${sections}`, complete: left >= 0 && sections.length === files.length };
}

/** Links to the files of a diff. */
export function fileLinks(files: FileDiff[]): Html[] {
  return files.map(
    ({ path }, index) => html`<li><a href="#file-${index + 1}" title="${path}">${path}</a></li>`,
  );
}

function renderFile(file: FileDiff, id: string, maxLines: number, isOpen: boolean): Html {
  const title = file.from ? `${file.from} → ${file.path}` : file.path;
  const change = file.change === 'changed' ? '' : html`<span class="state">${file.change}</span>`;
  const counts = file.binary
    ? ''
    : html`<span class="plus">+${file.additions}</span> <span class="minus">−${file.deletions}</span>`;
  const content = file.binary
    ? html`<p class="quiet">Binary file</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="Changes in ${file.path}">
<table class="diff"><tbody>${rowsOf(file.lines.slice(0, maxLines))}</tbody></table></div>`;
  return html`<details class="file card" id="${id}"${isOpen ? html` open` : ''}>
<summary><code>${title}</code> ${change} <span class="counts">${counts}</span></summary>
${content}
</details>`;
}

const LOOKS: Record<string, string> = { '+': 'added', '-': 'removed', ' ': 'same' };

/** A row for each line, with its numbers before and after. */
function rowsOf(lines: string[]): Html[] {
  let [old, now] = [1, 1];
  return lines.map(line => {
    const look = LOOKS[line[0] ?? ''];
    if (look === undefined) {
      const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line);
      if (hunk) [old, now] = [Number(hunk[1]), Number(hunk[2])];
      return html`<tr class="hunk"><td colspan="3">${line}</td></tr>`;
    }
    const [before, after] = [look === 'added' ? '' : old++, look === 'removed' ? '' : now++];
    return html`<tr class="${look}"><td class="n">${before}</td><td class="n">${after}</td><td class="code">${line}</td></tr>`;
  });
}
