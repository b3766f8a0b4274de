import { Type } from '@sinclair/typebox';
import { MARKDOWN_PATHS } from './paths.ts';
import { OptionalFilter } from '../message-body.ts';
import { MOST_RESULTS, RESULTS } from '../../../db/search/number-of-results.ts';

const FOUND = {
  content: 'Node 20.19 or later is all that is needed. …',
  path: '/install',
  url: 'https://docs.example.com/install',
  metadata: { title: 'Install › Requirements' },
};

export const SearchBody = Type.Object(
  {
    query: Type.String({ minLength: 1, maxLength: 2_000, description: 'What to look for.' }),
    pageSize: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_RESULTS,
        default: RESULTS.endpoint,
        description: 'Pages that are found, at most.',
      }),
    ),
    filter: OptionalFilter,
  },
  {
    title: 'Search',
    description: 'What to look for, and where.',
    examples: [{ query: 'install' }],
  },
);
export const SearchResult = Type.Object(
  {
    content: Type.String({ description: 'Markdown of the sections that were found.' }),
    path: Type.String({ description: 'The page’s path on the site.' }),
    url: Type.String({ description: 'The page’s address.' }),
    metadata: Type.Object(
      { title: Type.String({ description: 'The page’s title and the heading of the section.' }) },
      { title: 'SearchResultMetadata', description: 'What is known of the page.' },
    ),
  },
  { title: 'SearchResult', description: 'What was found on a page.', examples: [FOUND] },
);
export const SearchAnswer = Type.Array(SearchResult, {
  description: 'The best first.',
  examples: [[FOUND]],
});

export const PageBody = Type.Object(
  {
    path: Type.String({ minLength: 1, maxLength: 1_000, description: 'Its path on the site.' }),
    filter: OptionalFilter,
  },
  { title: 'ReadPage', description: 'The page to read.', examples: [{ path: '/install' }] },
);
export const PageAnswer = Type.Object(
  {
    path: Type.String({ description: 'The page’s path on the site.' }),
    content: Type.String({ description: 'The page as Markdown.' }),
  },
  {
    title: 'Page',
    description: 'A page of the site.',
    examples: [{ path: '/install', content: '# Install\n\nNode 20.19 or later is needed.' }],
  },
);

export const DomainParams = Type.Object({
  domain: Type.String({
    minLength: 1,
    maxLength: 63,
    description: 'Documentation site identifier, from the API keys page of the dashboard.',
    examples: ['acme'],
  }),
});
/** `*` is the page's path, and `.md`. */
export const MarkdownPageParams = Type.Object({
  ...DomainParams.properties,
  '*': Type.String({ minLength: 4, maxLength: 1_000 }),
});
/** As the document has them: a path there cannot end in a wildcard. */
export const DOCUMENTED_PAGE = {
  url: MARKDOWN_PATHS.page.replace('*', ':path.md'),
  params: Type.Object({
    ...DomainParams.properties,
    path: Type.String({
      minLength: 1,
      maxLength: 997,
      description: 'The page’s path on the site, without the first slash. Slashes may be escaped.',
      examples: ['guides/install'],
    }),
  }),
};
export const MessageQuery = Type.Object({
  finish: Type.Optional(
    Type.String({
      description:
        '`metadata`: the finish event carries the threadId as message metadata only, ' +
        'which every release of the chat SDK accepts.',
      examples: ['metadata'],
    }),
  ),
});
