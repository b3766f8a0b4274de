import { isPublicAddress, type MayReach } from '../../../shared/outgoing/public-address.ts';
import type { KnownSite } from '../../kinds/registry.ts';
import type { Finding } from '../formats/report.ts';
import { AnswerCache } from './answer-cache.ts';
import { type Answer, askHosts } from './ask-hosts.ts';

interface ExternalLink {
  url: string;
  file: string;
  line: number;
}

/**
 * Follows the links of a site to other sites. What surely leads nowhere is an error; what a host may
 * only keep from programs is a warning. Addresses of private networks are not asked for.
 */
export async function externalFindings(
  site: KnownSite,
  mayReach: MayReach = isPublicAddress,
  cache = AnswerCache.ofThisUser(),
): Promise<Finding[]> {
  const links = externalLinks(site);
  const urls = new Set(links.map(({ url }) => withoutAnchor(url)));
  const answers = new Map<string, Answer>();
  for (const url of urls) {
    const known = cache.get(url);
    if (known) answers.set(url, known);
  }
  const unknown = [...urls].filter(url => !answers.has(url));
  for (const [url, answer] of await askHosts(unknown, mayReach)) {
    answers.set(url, answer);
    cache.set(url, answer);
  }
  cache.save();
  const findings = links.flatMap(link => {
    const answer = answers.get(withoutAnchor(link.url));
    return answer ? (findingOf(link, answer) ?? []) : [];
  });
  return findings;
}

/** Each link once, by the place where it is written. */
function externalLinks(site: KnownSite): ExternalLink[] {
  const found = new Map<string, ExternalLink>();
  for (const page of site.pages)
    for (const { url, kind, file = page.file, line } of site.outline(page.file).links) {
      const full = url.startsWith('//') ? `https:${url}` : url;
      if (kind === 'import' || !/^https?:\/\/[^\s{}<>$]+$/i.test(full)) continue;
      if (URL.canParse(full)) found.set(`${file}\n${line}\n${url}`, { url: full, file, line });
    }
  return [...found.values()];
}

function withoutAnchor(url: string): string {
  return url.replace(/#.*$/s, '');
}

/** Statuses with which a host says that there is nothing. */
const GONE = new Set([404, 410]);

function findingOf({ url, file, line }: ExternalLink, answer: Answer): Finding | undefined {
  if (answer.kind === 'private' || (answer.kind === 'status' && answer.status < 400))
    return undefined;
  const isGone = answer.kind === 'no host' || (answer.kind === 'status' && GONE.has(answer.status));
  const message =
    answer.kind === 'no host'
      ? 'No such host is known.'
      : answer.kind === 'status'
        ? `The site answers with ${answer.status}.`
        : `The site does not answer: ${answer.why}.`;
  const severity = isGone ? 'error' : 'warning';
  return { rule: 'external', severity, file, line, link: url, message };
}
