import { useMutation } from '@tanstack/react-query';
import type {
  PreviewRequest,
  ProjectPreview,
} from '../../../../api/dashboard/contract/projects/preview.ts';
import { FormValues } from '../../data/form-values.ts';
import { call } from '../../data/request.ts';
import { Button } from '../controls/button.tsx';
import { Notice } from '../feedback/notice.tsx';
import { SiteFacts } from './site-found.tsx';

/**
 * Shows what Docent finds in the repository that the form names, before the project is created.
 * Give it a `key` per repository: what was found is about one.
 */
export function SitePreview({
  organization,
  request,
  onFound,
}: {
  organization: string;
  /** Of the form's values. */
  request: (values: FormValues) => PreviewRequest;
  onFound: (found: ProjectPreview) => void;
}) {
  const preview = useMutation({
    mutationFn: (body: PreviewRequest) =>
      call('POST /organizations/:organization/projects/preview', {
        params: { organization },
        body,
      }),
    onSuccess: onFound,
  });
  return (
    <section className="stack" aria-label="Preview of the site">
      <div>
        <Button
          small
          busy={preview.isPending}
          onClick={event => {
            const { form } = event.currentTarget;
            const body = form && request(new FormValues(new FormData(form)));
            if (body && namesSource(body.source)) preview.mutate(body);
            else form?.reportValidity();
          }}
        >
          Preview the site
        </Button>
      </div>
      <div role="status" className="stack">
        {preview.isPending && <p className="soft">The repository is being read …</p>}
        {preview.error && <Notice tone="bad">{preview.error.message}</Notice>}
        {preview.data && <SiteFacts site={preview.data.site} />}
      </div>
    </section>
  );
}

/** Whether there is something to look at: a repository, an address or files. */
function namesSource(source: PreviewRequest['source']): boolean {
  if ('files' in source) return source.files.length > 0;
  return ('url' in source ? source.url : source.repository) !== '';
}
