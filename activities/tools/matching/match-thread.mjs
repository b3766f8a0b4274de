// A thread that matches regular expressions: linear in the text, and still too long for an event
// loop. Plain JavaScript, so that it starts without a loader.
import { parentPort } from 'node:worker_threads';
import { RE2JS } from 're2js';

/** @type {{ key: string, expression: RE2JS } | undefined} */
let last;

parentPort?.on('message', ({ source, ignoreCase, text, replacement, limit }) => {
  try {
    parentPort?.postMessage({ matches: matchesIn(source, ignoreCase, text, replacement, limit) });
  } catch (error) {
    parentPort?.postMessage({ error: error instanceof Error ? error.message : 'unreadable' });
  }
});

function matchesIn(source, ignoreCase, text, replacement, limit) {
  const key = `${ignoreCase} ${source}`;
  if (last?.key !== key) {
    const flags = RE2JS.MULTILINE | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    last = { key, expression: RE2JS.compile(source, flags) };
  }
  const matcher = last.expression.matcher(text);
  const matches = [];
  while (matches.length < limit && matcher.find()) {
    const match = { start: matcher.start(), end: matcher.end() };
    if (replacement !== null) match.text = expand(matcher, replacement);
    matches.push(match);
  }
  return matches;
}

/** `$1`, `${name}` and `$0` stand for groups, `$$` for a dollar sign. Throws for an unknown one. */
function expand(matcher, replacement) {
  return replacement.replace(/\$(?:(\$)|(\d{1,2})|\{(\w+)\})/g, (_all, dollar, number, name) => {
    if (dollar) return '$';
    return (number === undefined ? matcher.group(name) : matcher.group(Number(number))) ?? '';
  });
}
