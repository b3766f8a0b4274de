import { Type } from '@sinclair/typebox';
import { clip, count, toolFailure, inputMember } from './text.ts';
import { defineTool } from './tool.ts';
import { MOST_AGENT_RESULTS, RESULTS } from '../../shared/search/number-of-results.ts';

const MAX_SECTION_CHARACTERS = 1200;

export const searchDocsTool = defineTool({
  name: 'search_docs',
  description:
    'Finds the pages about a subject, by words that carry meaning, best first, ' +
    'with their best sections. ' +
    "It searches the published docs, without this job's edits. " +
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
  }),
  readOnly: true,
  summarize: input => inputMember(input, 'query'),
  async execute({ query, page_size: pageSize = RESULTS.agent }, context) {
    const summary = clip(query.replace(/\s+/g, ' '), 150);
    try {
      const results = await context.search({ query, pageSize });
      if (results.length === 0)
        return {
          content:
            'No page matches. ' +
            'Try other words, or search_text and list_files, which look at the files themselves.',
          summary: `${summary} (0 pages)`,
        };
      const pages = results.map(page =>
        [
          `## ${page.title} (${page.path})`,
          ...page.sections.map(
            ({ heading, anchor, text }) =>
              `### ${heading}${anchor === null ? '' : ` (#${anchor})`}\n` +
              clip(text, MAX_SECTION_CHARACTERS),
          ),
        ].join('\n'),
      );
      return {
        content: `${pages.join('\n\n')}\n\nUse these paths with view.`,
        summary: `${summary} (${count(results.length, 'page')})`,
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
