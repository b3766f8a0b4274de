import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { Copyable } from '../../components/controls/copy.tsx';
import { Empty, Loaded } from '../../components/feedback/loaded.tsx';
import { KeyBrowser } from '../../components/keys/key-browser.tsx';
import { KeySnippets } from '../../components/keys/key-snippets.tsx';
import { NewKeyDialog } from '../../components/keys/new-key-dialog.tsx';
import { Icon } from '../../components/text/icons.tsx';
import { may, useProject, useSession } from '../../data/place.ts';
import { keysQuery } from '../../data/queries.ts';
import { Page } from '../../layout/page.tsx';

const LEAD =
  'Admin keys are secret and can start jobs. ' +
  'Assistant keys are public and can only ask the assistant of this site.';

export function KeysPage() {
  const { organization, project } = useProject();
  const { baseUrl } = useSession();
  const owner = may(organization.role, 'owner');
  const keys = useQuery(keysQuery(project.id));
  const [creating, setCreating] = useState(false);
  return (
    <Page
      title="API keys"
      lead={LEAD}
      actions={
        owner && (
          <Button look="primary" onClick={() => setCreating(true)}>
            <Icon name="plus" size={16} />
            New key
          </Button>
        )
      }
    >
      <Identifiers />
      <Loaded query={keys}>
        {({ keys: list }) =>
          list.length > 0 ? (
            <KeyBrowser keys={list} />
          ) : (
            <section className="card" aria-label="Keys">
              <Empty icon="keys" title="No keys yet" command={`npx docent key create --kind admin`}>
                {owner ? 'Create one here or on the command line:' : 'Only owners can create keys.'}
              </Empty>
            </section>
          )
        }
      </Loaded>
      <KeySnippets baseUrl={baseUrl} projectId={project.id} domain={project.domain} />
      {creating && (
        <NewKeyDialog
          projectId={project.id}
          domain={project.domain}
          baseUrl={baseUrl}
          onClose={() => setCreating(false)}
        />
      )}
    </Page>
  );
}

function Identifiers() {
  const { project } = useProject();
  const { baseUrl } = useSession();
  return (
    <section className="card card-pad" aria-label="Identifiers">
      <dl className="facts facts-wide">
        <dt>Project ID</dt>
        <dd>
          <Copyable text={project.id} what="project ID" />
        </dd>
        <dt>Domain</dt>
        <dd>
          <Copyable text={project.domain} what="domain" />
        </dd>
        <dt>Base URL</dt>
        <dd>
          <Copyable text={baseUrl} what="base URL" />
        </dd>
      </dl>
    </section>
  );
}
