import { Type } from '@sinclair/typebox';
import { clip, count, toolFailure, inputMember } from '../text.ts';
import { defineTool } from '../tool.ts';
import { MOST_AGENT_RESULTS, RESULTS } from '../../../db/search/number-of-results.ts';

const MAX_SECTION_CHARACTERS = 1200;

export const searchDocsTool = defineTool({
  name: 'search_docs',
  description:
    'Finds the pages about a subject, by words that carry meaning, best first, ' +
    'with their best sections. ' +
    'It searches the published docs, and the pages that this job has changed as they are now. ' +
    'Use search_text to find an exact text.',
  input: Type.Object({
    query: Type.String({ minLength: 1, maxLength: 1000 }),
    page_size: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_AGENT_RESULTS,
        description: `pages; ${RESULTS.agent} by default`,
      }),
    ),
    language: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'only pages in it, such as de; the main one by default',
      }),
    ),
    version: Type.Optional(
      Type.String({ maxLength: 64, description: 'only pages of it; the current one by default' }),
    ),
  }),
  readOnly: true,
  summarize: input => inputMember(input, 'query'),
  async execute({ query, page_size: pageSize = RESULTS.agent, language, version }, context) {
    const summary = clip(query.replace(/\s+/g, ' '), 150);
    const filter = {
      ...(language !== undefined && { language }),
      ...(version !== undefined && { version }),
    };
    try {
      const hasEdits = (await context.workspace.changes()).size > 0;
      const edits = hasEdits
        ? await context.askSite({ kind: 'search-edits', query, filter })
        : { pages: [], outdated: [] };
      const results = await context.search({
        query,
        // Those that are out of date give their places to others.
        pageSize: Math.min(pageSize + edits.outdated.length, MOST_AGENT_RESULTS),
        filter,
      });
      const pages = [
        ...edits.pages.map(page =>
          described(`${page.path}, changed in this job: ${page.file}`, page),
        ),
        ...results
          .filter(({ path }) => !edits.outdated.includes(path.replace(/#.*$/, '')))
          .map(page => described(page.path, page)),
      ].slice(0, pageSize);
      if (pages.length === 0)
        return {
          content:
            'No page matches. ' +
            'Try other words, or search_text and list_files, which look at the files themselves.',
          summary: `${summary} (0 pages)`,
        };
      return {
        content: `${pages.join('\n\n')}\n\nUse these paths with view.`,
        summary: `${summary} (${count(pages.length, 'page')})`,
      };
    } catch (error) {
      if (context.signal.aborted) throw error;
      return toolFailure(
        'The search index does not answer at the moment. Use search_text and list_files instead.',
        summary,
      );
    }
  },
});

interface Described {
  title: string;
  sections: { heading: string; anchor: string | null; text: string }[];
}

function described(place: string, { title, sections }: Described): string {
  return [
    `## ${title} (${place})`,
    ...sections.map(
      ({ heading, anchor, text }) =>
        `### ${heading}${anchor === null ? '' : ` (#${anchor})`}\n` +
        clip(text, MAX_SECTION_CHARACTERS),
    ),
  ].join('\n');
}
