import type { Project } from '../../../../api/dashboard/contract/projects/projects.ts';
import { SelectField, TextField } from '../forms/form.tsx';
import { useSession } from '../../data/place.ts';

/** What builds a site, and what its addresses begin with. Empty: as its files say. */
export function SiteKindFields({
  siteKind = null,
  basePath = null,
}: Partial<Pick<Project, 'siteKind' | 'basePath'>>) {
  const { siteKinds } = useSession();
  return (
    <div className="form-columns">
      <SelectField
        label="Site kind"
        name="siteKind"
        defaultValue={siteKind ?? ''}
        hint="What builds the site. It decides how a file becomes an address."
      >
        <option value="">Detected automatically</option>
        {siteKinds.map(({ name, title }) => (
          <option key={name} value={name}>
            {title}
          </option>
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
