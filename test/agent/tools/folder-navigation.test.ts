import { policyViolations } from '../../../agent/policy/policy.ts';
import { call, toolContext } from './context.ts';

const REDIRECTS = `plugins:
  redirects:
    redirect_maps:
      old.md: index.md
`;
const FILES = {
  'mkdocs.yml': `INHERIT: config/redirects.yml
site_name: Kit
plugins:
  awesome-nav:
    enabled: true
`,
  'config/redirects.yml': REDIRECTS,
  'docs/index.md': '# Home\n\n[voices](about/testimonials.md)\n',
  'docs/about/.nav.yml': `nav:
  - About:
    - Testimonials: about/testimonials.md
    - Team: team.md
`,
  'docs/about/testimonials.md': '# Testimonials\n',
  'docs/about/team.md': '# Team\n',
};

describe('a folder of MkDocs whose own list counts paths from the docs folder', () => {
  const project = { docsFolder: 'docs', allowMdxCode: false };
  const make = () => toolContext(FILES);

  it('follows a moved page, with a redirect in the file that INHERIT names', async () => {
    const context = make();
    const { content } = await call(context, 'move_page', {
      from: 'docs/about/testimonials.md',
      to: 'docs/about/voices.md',
    });
    const { workspace } = context;
    expect(await workspace.readText('docs/about/.nav.yml')).toBe(
      FILES['docs/about/.nav.yml'].replace('about/testimonials.md', 'voices.md'),
    );
    expect(await workspace.readText('config/redirects.yml')).toBe(
      `${REDIRECTS}      about/testimonials.md: about/voices.md\n`,
    );
    expect(content).toContain('added in config/redirects.yml');
    expect(await context.check()).toEqual([]);
    expect(await policyViolations(workspace, project)).toEqual([]);
  });

  it('names an entry without a page as it is written, with its file and line', async () => {
    const context = make();
    context.workspace.remove('docs/about/testimonials.md');
    expect(await context.check()).toContainEqual(
      expect.objectContaining({
        path: 'docs/about/.nav.yml',
        line: 3,
        message: expect.stringContaining('The navigation names about/testimonials.md, which'),
      }),
    );
  });

  it('may write nothing else in the file that INHERIT names', async () => {
    const context = make();
    context.workspace.write('config/redirects.yml', `site_name: Other\n${REDIRECTS}`);
    expect(await policyViolations(context.workspace, project)).toHaveLength(1);
  });
});
