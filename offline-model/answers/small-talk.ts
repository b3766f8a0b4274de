const GREETING = new Set(
  'hi hello hey morning afternoon evening thanks thank thx cheers bye goodbye'.split(' '),
);
const BESIDE = new Set(
  (
    'there all everyone docent good you so very much many a lot again for your the help that ' +
    'helped was great nice perfect ok okay'
  ).split(' '),
);

/**
 * Whether a message is a greeting or thanks and nothing else: "Hi, how do I add a page?" is a
 * question. Knows English only.
 */
export function isSmallTalk(message: string): boolean {
  const words = message.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return (
    words.some(word => GREETING.has(word)) &&
    words.every(word => GREETING.has(word) || BESIDE.has(word))
  );
}
