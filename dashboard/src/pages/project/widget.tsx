import { useState } from 'react';
import { Snippet } from '../../components/controls/copy.tsx';
import { Segments } from '../../components/controls/segments.tsx';
import { AllowedOrigins } from '../../components/widget/allowed-origins.tsx';
import { SITES, type SiteName } from '../../components/widget/site-snippets.ts';
import {
  attributesOf,
  NO_OPTIONS,
  type WidgetOptions,
  WidgetOptionsForm,
} from '../../components/widget/widget-options.tsx';
import { WidgetPreview } from '../../components/widget/widget-preview.tsx';
import { useProject, useSession } from '../../data/place.ts';
import { Page } from '../../layout/page.tsx';

/** Sets up the widget: options, a live preview, and what to add to the site. */
export function WidgetPage() {
  const { project } = useProject();
  const [options, setOptions] = useState<WidgetOptions>(NO_OPTIONS);
  return (
    <Page title="Widget" lead="The assistant on your site, with one script tag.">
      <div className="split">
        <div className="stack">
          <WidgetPreview projectId={project.id} domain={project.domain} options={options} />
          <p className="small faint">The preview does not search while you type.</p>
          <ForSite options={options} />
          <AllowedOrigins />
          <ForAgents />
        </div>
        <aside className="split-side widget-options" aria-label="Widget options">
          <WidgetOptionsForm value={options} onChange={setOptions} />
        </aside>
      </div>
    </Page>
  );
}

const CHOICES = Object.entries(SITES).map(([id, { name }]) => [id as SiteName, name] as const);

function ForSite({ options }: { options: WidgetOptions }) {
  const { project } = useProject();
  const { baseUrl } = useSession();
  const [site, setSite] = useState<SiteName>('html');
  const { origin } = new URL(baseUrl);
  return (
    <section className="section" aria-labelledby="add">
      <h2 id="add">Add it to your site</h2>
      <Segments label="Site" options={CHOICES} value={site} onChange={setSite} />
      <p className="soft">{SITES[site].file}</p>
      <Snippet text={SITES[site].text(attributesOf(baseUrl, project.domain, options))} what="tag" />
      <p className="soft">If your site sends a Content-Security-Policy, add to it:</p>
      <Snippet text={`script-src ${origin}; connect-src ${origin}`} what="policy" />
    </section>
  );
}

function ForAgents() {
  const { project } = useProject();
  const { baseUrl } = useSession();
  return (
    <section className="section" aria-labelledby="agents">
      <h2 id="agents">For readers’ agents</h2>
      <p className="soft">An MCP server with search, pages, answers and feedback:</p>
      <Snippet text={`${baseUrl}/discovery/v1/mcp/${project.domain}`} what="MCP address" />
      <p className="soft">For your team’s agents, with an admin key: jobs.</p>
      <Snippet text={`${baseUrl}/v2/agent/${project.id}/mcp`} what="MCP address for jobs" />
    </section>
  );
}
