/** BERT's uncased WordPiece tokenizer: what MiniLM was trained on. */
export interface WordPiece {
  /** Token ids of a text between the start and end marks, at most `limit` with them. */
  encode(text: string, limit: number): number[];
}

/** Longer words are one unknown token to BERT. */
const LONGEST_WORD = 100;
/**
 * Characters that are read for each token wanted; mostly four are enough. A question may have
 * 100,000: of words that are unknown at their last letter, its tokens took a second.
 */
const READ_PER_TOKEN = 16;
const PUNCTUATION = String.raw`[\p{P}$+<=>^\x60|~]`;
const TOKEN = new RegExp(
  String.raw`${PUNCTUATION}|\p{Script=Han}|(?:(?!${PUNCTUATION}|\p{Script=Han})[^\s])+`,
  'gu',
);

/** `vocabulary` is the text of vocab.txt: a token a line, its id the line's number. */
export function wordPiece(vocabulary: string): WordPiece {
  const ids = new Map(vocabulary.split(/\r?\n/).map((token, id) => [token, id]));
  const special = (token: string): number => {
    const id = ids.get(token);
    if (id === undefined)
      throw new Error(`The vocabulary has no ${token}: it is not that of an uncased BERT.`);
    return id;
  };
  const longestPiece = [...ids.keys()].reduce((most, { length }) => Math.max(most, length), 0);
  const [start, end, unknown] = [special('[CLS]'), special('[SEP]'), special('[UNK]')];

  const pieces = (word: string): number[] => {
    if (word.length > LONGEST_WORD) return [unknown];
    const found: number[] = [];
    for (let at = 0; at < word.length;) {
      let to = Math.min(word.length, at + longestPiece);
      let id: number | undefined;
      while (to > at && (id = ids.get((at === 0 ? '' : '##') + word.slice(at, to))) === undefined)
        to -= 1;
      if (id === undefined) return [unknown];
      found.push(id);
      at = to;
    }
    return found;
  };

  return {
    encode(text, limit) {
      const found = [start];
      const plain = text
        .slice(0, READ_PER_TOKEN * limit)
        .toLowerCase()
        .normalize('NFD')
        .replace(/\p{Mn}|[\0\u{FFFD}]/gu, '');
      for (const [word] of plain.matchAll(TOKEN)) {
        found.push(...pieces(word));
        if (found.length >= limit) break;
      }
      return [...found.slice(0, limit - 1), end];
    },
  };
}
