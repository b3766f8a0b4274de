import type { Edition, SitePageView } from '../../../../api/dashboard/contract/site.ts';
import { useSite } from './site-source.ts';

const languageNames = new Intl.DisplayNames('en', { type: 'language' });

/** The switchers between languages and versions of a site; each leads to the same page. */
export function Editions({ page }: { page: SitePageView }) {
  return (
    <>
      <Switcher label="Language" of={page.languages} current={page.language} name={languageName} />
      <Switcher label="Version" of={page.versions} current={page.version} name={each => each} />
    </>
  );
}

function Switcher({
  label,
  of,
  current,
  name,
}: {
  label: string;
  of: readonly Edition[];
  current: string | null;
  name: (edition: string) => string;
}) {
  const site = useSite();
  if (of.length === 0) return null;
  return (
    <select
      className="input reader-edition"
      aria-label={label}
      value={current ?? ''}
      onChange={({ target }) => {
        const chosen = of.find(each => each.name === target.value);
        if (chosen) site.go(chosen.path);
      }}
    >
      {current === null && <option value="">{label}</option>}
      {of.map(each => (
        <option key={each.name} value={each.name}>
          {name(each.name)}
        </option>
      ))}
    </select>
  );
}

function languageName(tag: string): string {
  try {
    return languageNames.of(tag.replace('_', '-')) ?? tag;
  } catch {
    return tag; // no language tag
  }
}
