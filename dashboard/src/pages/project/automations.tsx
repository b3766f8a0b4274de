import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Automation } from '../../../../api/dashboard/contract/automations.ts';
import { AddAutomation } from '../../components/automations/add-automation.tsx';
import { AutomationTable } from '../../components/automations/automation-table.tsx';
import { RunTable } from '../../components/automations/run-table.tsx';
import { Empty, Loaded } from '../../components/feedback/loaded.tsx';
import { may, useProject } from '../../data/place.ts';
import { automationRunsQuery, automationsQuery } from '../../data/queries.ts';
import { Page } from '../../layout/page.tsx';

const route = getRouteApi('/app/$organization/$domain/automations');

export function AutomationsPage() {
  const { organization, project } = useProject();
  const { automation: shown } = route.useSearch();
  const automations = useQuery(automationsQuery(project.id));
  const ready = automations.data?.ready ?? [];
  const chosen = automations.data?.automations.find(({ id }) => id === shown);
  return (
    <Page
      title="Automations"
      lead="Files in the docs repository that start jobs: on a schedule, or when code changes."
      actions={may(organization.role, 'member') && <AddAutomation ready={ready} />}
    >
      <section className="card" aria-label="Automations">
        <Loaded query={automations}>
          {({ automations: list }) =>
            list.length > 0 ? (
              <AutomationTable automations={list} />
            ) : (
              <Empty
                icon="rewind"
                title="No automations yet"
                command="npx docent automation add fix-links"
              >
                Add one here or on the command line, or commit a file to .docent/workflows.
              </Empty>
            )
          }
        </Loaded>
      </section>
      {chosen && <Runs automation={chosen} />}
    </Page>
  );
}

function Runs({ automation }: { automation: Automation }) {
  const { project } = useProject();
  const runs = useQuery(automationRunsQuery(project.id, automation.id));
  return (
    <section className="stack-tight" aria-label={`Runs of ${automation.name}`}>
      <h2>Runs of {automation.name}</h2>
      <div className="card">
        <Loaded query={runs}>
          {({ runs: list }) =>
            list.length > 0 ? <RunTable runs={list} /> : <Empty icon="rewind" title="No runs yet" />
          }
        </Loaded>
      </div>
    </section>
  );
}
