import { type AddSecret, entropyOf, gitleaksRules, type SecretRule } from './secret-rules.ts';

/** Characters that a rule's pattern looks at in one go: some milliseconds. */
const WINDOW = 8_000;
/** A value begins near its keyword, and ends before so many characters. */
const AROUND = { before: 200, after: 3_000 };

/** What the rules of gitleaks find. */
export async function byGitleaks(content: string, add: AddSecret): Promise<void> {
  const lower = content.toLowerCase();
  for (const rule of await gitleaksRules())
    for (const [start, end] of windows(lower, rule.keywords))
      matchRule(rule, content, start, end, add);
}

/** The parts of a text in which a rule can match. */
function* windows(lower: string, keywords: readonly string[]): Generator<[number, number]> {
  const ranges = keywords
    .flatMap(keyword => [...occurrences(lower, keyword)])
    .toSorted((a, b) => a - b);
  let start = -1;
  let end = -1;
  for (const at of ranges) {
    if (start >= 0 && at - AROUND.before <= end && at + AROUND.after - start <= WINDOW)
      end = at + AROUND.after;
    else {
      if (start >= 0) yield [start, end];
      start = Math.max(0, at - AROUND.before);
      end = at + AROUND.after;
    }
  }
  if (start >= 0) yield [start, end];
}

function* occurrences(lower: string, keyword: string): Generator<number> {
  for (let at = lower.indexOf(keyword); at >= 0; at = lower.indexOf(keyword, at + keyword.length))
    yield at;
}

function matchRule(
  rule: SecretRule,
  content: string,
  from: number,
  to: number,
  add: AddSecret,
): void {
  const part = content.slice(from, to);
  const matcher = rule.pattern.matcher(part);
  while (matcher.find()) {
    const group = rule.group ?? firstGroup(matcher);
    const [start, end] = [matcher.start(group), matcher.end(group)];
    const value = part.slice(start, end);
    const lineStart = part.lastIndexOf('\n', start) + 1;
    const lineEnd = part.indexOf('\n', end);
    const line = part.slice(lineStart, lineEnd < 0 ? undefined : lineEnd);
    if (entropyOf(value) < rule.entropy || rule.isAllowed(value, matcher.group() ?? '', line))
      continue;
    add(rule.kind, from + start, from + end);
  }
}

/** As gitleaks takes it: the first group with something in it is the secret. */
function firstGroup(matcher: ReturnType<SecretRule['pattern']['matcher']>): number {
  for (let group = 1; group <= matcher.groupCount(); group++)
    if (matcher.group(group)) return group;
  return 0;
}
