import { asString, asStrings, at } from '../../../sites/code/static-value.ts';
import type { WrittenNavigation, WrittenRedirect } from '../code-navigation/written-navigation.ts';
import { sitePathOf } from '../../../sites/kinds/paths.ts';
import { type DocusaurusConfig, redirectOptions } from '../../../sites/kinds/docusaurus/config.ts';

/** The redirects of `@docusaurus/plugin-client-redirects`, and where another one goes. */
export function writtenRedirects(
  config: DocusaurusConfig,
  marker: string,
): { list: WrittenRedirect[]; place: WrittenNavigation['redirectPlace'] } {
  const options = redirectOptions(config.reader.configuration(marker));
  const redirects = at(options, 'redirects');
  const literal = redirects?.kind === 'array' ? redirects.literal : undefined;
  const list = (redirects?.kind === 'array' ? redirects.items : []).flatMap((item, index) => {
    const slot = redirects?.kind === 'array' ? redirects.slots[index] : undefined;
    const target = item.kind === 'object' ? item.slots.get('to') : undefined;
    const to = asString(at(item, 'to'));
    if (!slot || !target || to === undefined) return [];
    return asStrings(at(item, 'from')).map(from => ({
      from: sitePathOf(from),
      to: to.startsWith('/') ? sitePathOf(to) : to,
      target,
      slot,
      line: item.line,
    }));
  });
  if (literal) return { list, place: { literal } };
  if (options?.kind === 'object' && !redirects)
    return { list, place: { literal: options.literal, member: 'redirects' } };
  return { list, place: { missing: `${marker} has no list of redirects` } };
}
