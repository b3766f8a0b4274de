import { Type } from '@sinclair/typebox';
import { PERIOD } from './period.ts';
import { EXPORTS } from './question-report.ts';

const ASKED = {
  ...{ id: 'q_01kaj5zq3v8w1m4r7t2x9c6bne', title: 'How do I change the port?', asked: 41 },
  ...{ askedBefore: 17, answered: 2, helpful: 1, notHelpful: 6, state: 'open', page: null },
};
const PAGE = { url: 'https://docs.example.com/install', title: 'Install' };
const VOTES = {
  helpful: Type.Integer({ description: 'Answers that helped, by the readers’ votes.' }),
  notHelpful: Type.Integer({ description: 'Answers that did not help.' }),
};
const Asked = Type.Object(
  {
    id: Type.String({ description: 'Unique identifier of the group.' }),
    title: Type.String({ description: 'Its newest wording.' }),
    asked: Type.Integer({ description: 'How often, in the period.' }),
    askedBefore: Type.Integer({ description: 'How often in the period of that length before.' }),
    answered: Type.Integer({ description: 'How often the docs had the answer.' }),
    ...VOTES,
    state: Type.Union([Type.Literal('open'), Type.Literal('dismissed'), Type.Literal('resolved')], {
      title: 'QuestionState',
      description: 'What a person decided.',
    }),
    page: Type.Union([Type.String(), Type.Null()], {
      description: 'Path of the page that resolved it.',
    }),
  },
  { title: 'AskedQuestions', description: 'Questions that are alike.', examples: [ASKED] },
);
const Cited = Type.Object(
  {
    url: Type.String({ description: 'The page’s address.' }),
    title: Type.String({ description: 'The page’s title.' }),
    answers: Type.Integer({ description: 'Answers that cite it.' }),
    ...VOTES,
  },
  { title: 'CitedPage', description: 'A page that answers cite.' },
);
const Search = Type.Object(
  {
    query: Type.String({ description: 'In lower case.' }),
    times: Type.Integer({ description: 'How often.' }),
  },
  { title: 'SearchWithoutHits', description: 'A search that no page matched.' },
);
export const QuestionReport = Type.Object(
  {
    questions: Type.Array(Asked, { description: 'Those asked most first, at most 100.' }),
    pages: Type.Array(Cited, {
      description: 'Those whose answers did not help first, then those cited most; at most 100.',
    }),
    searches: Type.Array(Search, { description: 'The most frequent first, at most 100.' }),
  },
  {
    title: 'QuestionReport',
    description: 'What readers asked in a period.',
    examples: [
      {
        questions: [ASKED],
        pages: [{ ...PAGE, answers: 63, helpful: 9, notHelpful: 6 }],
        searches: [{ query: 'kubernetes', times: 12 }],
      },
    ],
  },
);
export const ExportQuery = Type.Object({
  ...PERIOD,
  of: Type.Optional(
    Type.Union(
      EXPORTS.map(each => Type.Literal(each)),
      {
        ...{ title: 'QuestionExport', default: 'questions' },
        description: 'Each question, or those that are alike together.',
      },
    ),
  ),
});
