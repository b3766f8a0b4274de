import { readMkDocsConfig } from './config.ts';
import { headingIds } from './python-markdown.ts';
import { folderOf, isExternal, nameOf } from '../paths.ts';
import type { Site, SitePage, SiteSource } from '../site-kind.ts';
import { outlinePage } from '../../outline/page-outline.ts';
import { type ApiReference, fileFrom, NOWHERE } from '../../openapi/api-reference.ts';
import type { ApiOperation } from '../../openapi/operations.ts';

type Named = Pick<ApiReference, 'named' | 'file'> & { anchorOf?: ApiReference['anchorOf'] };

/** Plugins that show a description on the page that has their mark. */
export function apiReferences(source: SiteSource, site: Site): ApiReference[] {
  const marker = site.configFiles.find(file => /^mkdocs\.ya?ml$/.test(nameOf(file)));
  if (marker === undefined) return [];
  const config = readMkDocsConfig(source, { root: site.root, marker });
  const finders: ((page: SitePage, text: string) => Named[])[] = [];
  for (const [plugin, element] of Object.entries(ELEMENTS))
    if (config.plugins.has(plugin)) finders.push(page => inElements(source, site, page, element));
  if (config.plugins.has('render_swagger'))
    finders.push((page, text) => inMarks(source, page, text));
  if (config.plugins.has('neoteroi.mkdocsoad')) {
    const idsOf = headingIds(config);
    // The plugin writes Markdown, whose headings get ids as any others do.
    const anchorOf = ({ method, route }: ApiOperation) =>
      idsOf(outlinePage('api.md', `### ${method} ${route.replace(/[*_]/g, '\\$&')}\n`))[0] ?? null;
    finders.push((page, text) =>
      inDirectives(source, site, page, text).map(one => ({ ...one, anchorOf })),
    );
  }
  if (finders.length === 0) return [];
  return site.pages.flatMap(page => {
    const text = source.read(page.file) ?? '';
    return finders
      .flatMap(find => find(page, text))
      .map(({ named, file, anchorOf = () => null }) => ({
        ...NOWHERE,
        file,
        named,
        from: page.file,
        pathOf: () => page.path,
        anchorOf,
      }));
  });
}

/** Swagger UI and Redoc are shown in a frame: nothing can lead to one operation. */
const ELEMENTS = { 'swagger-ui-tag': 'swagger-ui', 'redoc-tag': 'redoc' };

/** `<swagger-ui src="./openapi.yaml"/>`: relative to the file, or a path of the site. */
function inElements(source: SiteSource, site: Site, page: SitePage, element: string): Named[] {
  return site
    .outline(page.file)
    .links.filter(link => link.element === element && link.kind === 'image')
    .map(({ url: named }) => {
      const folder = named.startsWith('/') ? site.docsFolder : folderOf(page.file);
      return { named, file: fileFrom(source, folder, named) };
    });
}

/** `!!swagger openapi.json!!`, `!!swagger-http https://…!!` */
function inMarks(source: SiteSource, page: SitePage, text: string): Named[] {
  return [...text.matchAll(/!!swagger(?:-http)? ([^\s<>!]+)!!/g)].map(([, named = '']) => ({
    named,
    file: fileFrom(source, folderOf(page.file), named),
  }));
}

/** `[OAD(./openapi.yaml)]`: from where MkDocs runs, else from the folder of the page. */
function inDirectives(source: SiteSource, site: Site, page: SitePage, text: string): Named[] {
  return [...text.matchAll(/\[OAD\(([^)\n]+)\)\]/g)].map(([, written = '']) => {
    const named = written.replace(/^['"]+|['"]+$/g, '');
    const file = isExternal(named)
      ? undefined
      : (fileFrom(source, site.root, named) ?? fileFrom(source, folderOf(page.file), named));
    return { named, file };
  });
}
