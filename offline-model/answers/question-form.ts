/** What a question asks for by its first words: people, a number, a date, code. */

export const WANTS_CODE =
  /^\W*(?:and\s+)?how (?:do|can|should|to)\b|\b(?:command|code|curl|example|snippet|syntax)\b/i;
const PEOPLE = anyOf(
  'who whoever anyone anybody everyone everybody someone somebody nobody person people you team ' +
    'owners? members? admin(?:istrator)?s? operators? maintainers? authors? readers? reviewers? ' +
    'users? developers? callers? customers? visitors? holders?',
  'no one',
);
const NUMBER = anyOf(
  'one two three four five six seven eight nine ten once twice half none unlimited nothing free ' +
    'every all any never always',
  'no limit',
  'as (?:many|much|long) as',
  '(?<![\\w.-])\\d.*?',
);
export const HOW_MUCH = /\bhow (?:many|much|long|often|old|big|large|small|fast|far|high)\b/i;
const DATE = anyOf(
  '(?:19|20)\\d\\d january february march april june july august september october november ' +
    'december',
);
const ANYTHING = /(?:)/;

function anyOf(words: string, ...phrases: string[]): RegExp {
  return new RegExp(`\\b(?:${[...words.split(' '), ...phrases].join('|')})\\b`, 'i');
}

const LEAD_IN = /^(?:\W*\b(?:hi|hello|hey|and|but|so|or)\b)*\W*/i;

/** What a text must have to answer such a question. */
export function formOf(question: string): RegExp {
  const asks = question.replace(LEAD_IN, '');
  if (/^who\b/i.test(asks)) return PEOPLE;
  if (asks.search(HOW_MUCH) === 0) return NUMBER;
  if (/^(?:when (?:was|were|did)|(?:what|which) (?:year|date))\b/i.test(asks)) return DATE;
  return ANYTHING;
}
