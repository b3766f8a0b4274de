import { SITE_KINDS, type SiteKindName } from '../../../../shared/site/kinds/site-kind.ts';
import { SelectField, TextField } from '../forms/form.tsx';

/** What builds a site, and what its addresses begin with. Empty: as its files say. */
export function SiteKindFields({
  siteKind = null,
  basePath = null,
}: {
  siteKind?: SiteKindName | null;
  basePath?: string | null;
}) {
  return (
    <div className="form-columns">
      <SelectField
        label="Site kind"
        name="siteKind"
        defaultValue={siteKind ?? ''}
        hint="What builds the site. It decides how a file becomes an address."
      >
        <option value="">Detected automatically</option>
        {SITE_KINDS.map(kind => (
          <option key={kind}>{kind}</option>
        ))}
      </SelectField>
      <TextField
        label="Base path"
        name="basePath"
        defaultValue={basePath ?? ''}
        placeholder="as the site is configured"
        hint="What addresses of pages begin with, such as /docs."
      />
    </div>
  );
}
