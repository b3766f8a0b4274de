import type { GitHubConnection } from '../../../../api/dashboard/contract/github.ts';
import { useSend } from '../../data/queries.ts';
import { ConfirmButton } from '../dialogs/confirm-button.tsx';
import { plural, RelativeTime } from '../text/format.tsx';

/** The App that was created here. A new one can be created once it is removed. */
export function StoredApp({
  organization,
  app: { id, createdAt, isUsed, projects },
}: {
  organization: string;
  app: NonNullable<GitHubConnection['storedApp']>;
}) {
  const remove = useSend('DELETE /organizations/:organization/github/app/:appId');
  return (
    <section className="card card-pad row-between" aria-label="GitHub App of this Docent">
      <div>
        <strong>App {id}</strong>
        <div className="small faint">
          Created here <RelativeTime at={createdAt} />
          {!isUsed && '. Not used: GitHub is set by environment variables'}
        </div>
      </div>
      <ConfirmButton
        small
        label="Remove the App"
        title={`Remove App ${id}?`}
        verb="Remove"
        action={() => remove.mutateAsync({ params: { organization, appId: id } })}
      >
        <p>
          Docent deletes its keys, which cannot be brought back
          {isUsed && ', and every organization’s connected accounts'}. The App stays on GitHub:
          delete it there, too.
        </p>
        {projects > 0 && (
          <p>
            {plural(projects, 'project')} on GitHub and {projects === 1 ? 'its' : 'their'} jobs
            stay. Jobs that run fail, and nothing can be read or published until you create a new
            App and connect the same accounts.
          </p>
        )}
      </ConfirmButton>
    </section>
  );
}
