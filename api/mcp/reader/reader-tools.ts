import { Type } from '@sinclair/typebox';
import type { SiteFacts } from '../../../db/search/published-site.ts';
import { RESULTS } from '../../../db/search/number-of-results.ts';
import { fieldProblem } from '../../../shared/errors.ts';
import { nonBlank } from '../../../shared/text/worded.ts';
import { shown } from '../../assistant/answer/citations.ts';
import type { AssistantDeps } from '../../assistant/deps.ts';
import { castVote, FeedbackBody } from '../../assistant/routes/feedback-routes.ts';
import { findPage, findPages } from '../../assistant/routes/search-routes.ts';
import { defineTool, type McpTool, READS } from '../tool.ts';
import { askWhole } from './ask.ts';
import { siteAddresses } from './site-addresses.ts';

/** Some pages of a site, by the choices that the site has; none: it has one version, one language. */
function filterOf({ versions = [], languages = [] }: Partial<SiteFacts>) {
  const one = (of: string, values: readonly string[]) =>
    Type.Optional(
      Type.String({ maxLength: 100, description: `${of}, one of: ${values.join(', ')}.` }),
    );
  return {
    ...(versions.length > 1 && { version: one('Only pages of this version', versions) }),
    ...(languages.length > 1 && { language: one('Only pages in this language', languages) }),
  };
}

const LINK = Type.String({ description: 'Address of the page.' });
const TITLE = Type.String({ description: 'Title of the page.' });

function searchDocs(name: string, facts: Partial<SiteFacts>): McpTool<AssistantDeps> {
  return defineTool({
    name: 'search_docs',
    title: `Search ${name}`,
    description:
      `Searches the documentation of ${name}. Returns the best pages with the sections that ` +
      'match. Ask with the words that matter; search again with other words if nothing fits.',
    annotations: READS,
    input: Type.Object({
      query: nonBlank({
        minLength: 1,
        maxLength: 2_000,
        description: 'Keywords, or a question in any language.',
      }),
      ...filterOf(facts),
    }),
    output: Type.Object({
      results: Type.Array(
        Type.Object({
          title: TITLE,
          url: LINK,
          path: Type.String({ description: 'What get_page reads.' }),
          content: Type.String({ description: 'Markdown of the sections.' }),
        }),
        { description: 'The best first.' },
      ),
    }),
    async run(deps, { request, reply }, { query, ...filter }) {
      const asked = { query, pageSize: RESULTS.endpoint, filter };
      const found = (await findPages(deps, request, reply, asked)).map(shown);
      const results = found.map(({ metadata, url, path, content }) => ({
        ...{ title: metadata.title, url, path, content },
      }));
      const text = results.map(
        ({ title, url, content }) => `Title: ${title}\nLink: ${url}\nContent: ${content}`,
      );
      return {
        text: text.join('\n\n') || 'No page matches. Search again with fewer or other words.',
        structured: { results },
      };
    },
  });
}

function getPage(name: string): McpTool<AssistantDeps> {
  return defineTool({
    name: 'get_page',
    title: `Read a page of ${name}`,
    description: 'Reads one page as Markdown, by its url or its path as search_docs gives them.',
    annotations: READS,
    input: Type.Object({
      url: Type.Optional(Type.String({ maxLength: 2_000, description: 'Address of the page.' })),
      path: Type.Optional(
        Type.String({ maxLength: 1_000, description: 'Path of the page on the site.' }),
      ),
    }),
    output: Type.Object({
      title: TITLE,
      url: LINK,
      path: Type.String({ description: 'Its path on the site.' }),
      content: Type.String({ description: 'The page as Markdown.' }),
    }),
    async run(deps, { request, reply }, given) {
      const { path, url } = given;
      if (path === undefined && url === undefined) throw fieldProblem('url', 'or path is required');
      const site = await siteAddresses(deps, request.project);
      const page = await findPage(deps, request, reply, { path: path ?? site.pathOf(url!) });
      const [content = ''] = await site.absolute([{ path: page.path, text: page.content }]);
      const address = site.addressOf(page);
      const structured = { title: page.title, url: address, path: page.path, content };
      return { text: `Title: ${page.title}\nLink: ${address}\nContent: ${content}`, structured };
    },
  });
}

function ask(name: string): McpTool<AssistantDeps> {
  return defineTool({
    name: 'ask',
    title: `Ask the assistant of ${name}`,
    description:
      `Asks the assistant of ${name}, which answers from the documentation and names its sources. ` +
      'It takes some seconds. For facts of one page, search_docs is faster.',
    annotations: READS,
    input: Type.Object({
      question: nonBlank({ minLength: 1, maxLength: 10_000, description: 'The whole question.' }),
      goal: Type.Optional(
        Type.String({ maxLength: 2_000, description: 'What the answer is needed for.' }),
      ),
      threadId: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Continues the conversation of an earlier answer.',
        }),
      ),
    }),
    output: Type.Object({
      answer: Type.String({ description: 'Markdown.' }),
      sources: Type.Array(Type.Object({ title: TITLE, url: LINK }), {
        description: 'Sections that the answer cites; none: it is not from the documentation.',
      }),
      threadId: Type.String({ description: 'For a further question, and for feedback.' }),
      messageId: Type.String({ description: 'For feedback.' }),
    }),
    async run(deps, exchange, given) {
      const { text, sources, threadId, messageId } = await askWhole(deps, exchange, given);
      const cited = sources.map(({ title, url }) => ({ title, url }));
      const list = cited.map(({ title, url }) => `- ${title}: ${url}`).join('\n');
      return {
        text: `${text}\n\n${list === '' ? 'No page is cited.' : `Sources:\n${list}`}`,
        structured: { answer: text, sources: cited, threadId, messageId },
      };
    },
  });
}

const { fp: _fp, source: _source, contact: _contact, ...VOTE } = FeedbackBody.properties;

const submitFeedback: McpTool<AssistantDeps> = defineTool({
  name: 'submit_feedback',
  title: 'Say whether an answer or a page helped',
  description:
    'Stores for the authors of the documentation whether an answer of ask, or a page, helped, and ' +
    'what was wrong or missing. For an answer give threadId and messageId, for a page its path.',
  annotations: { ...READS, readOnlyHint: false },
  input: Type.Object(VOTE),
  output: Type.Object({ stored: Type.Boolean({ description: 'Always true.' }) }),
  async run(deps, { request, reply }, vote) {
    await castVote(deps, request, reply, { ...vote, ...(vote.path && { source: 'agent' }) });
    return { text: 'The feedback is stored.', structured: { stored: true } };
  },
});

/** The tools of a site, each list always in the same order. */
export function readerTools(
  name: string,
  facts: Partial<SiteFacts>,
): Record<'reading' | 'answering', McpTool<AssistantDeps>[]> {
  return {
    reading: [searchDocs(name, facts), getPage(name)],
    answering: [ask(name), submitFeedback],
  };
}
