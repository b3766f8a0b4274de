import { lineCounter } from '../../outline/line-counter.ts';
import { codeBlocks } from '../cut-text.ts';
import { onceForEach } from '../includes.ts';
import type { Site } from '../site-kind.ts';

/** `` {ref}`label` `` and `` {doc}`page` ``, whose targets must exist. */
export function withRoles(outlineOf: Site['outline']): Site['outline'] {
  return onceForEach(file => {
    const outline = outlineOf(file);
    if (!/\{(?:ref|doc)\}`/.test(outline.text)) return outline;
    const isCode = codeBlocks(outline.text);
    const lineOf = lineCounter(outline.text);
    const roles = Array.from(outline.text.matchAll(ROLE)).flatMap(match => {
      const [, element = '', titled, plain = ''] = match;
      const target = (titled ?? plain).trim();
      if (isCode(match.index) || target === '') return [];
      const url = element === 'ref' ? `project:#${target}` : `project:${target}`;
      return [{ kind: 'link' as const, url, line: lineOf(match.index) + 1, element }];
    });
    return { ...outline, links: [...outline.links, ...roles] };
  });
}

const ROLE = /(?<!``[ ]?)\{(ref|doc)\}`(?:[^`<\n]{0,300}<([^<>`\n]{1,300})>|([^`<>\n]{1,300}))`/g;
