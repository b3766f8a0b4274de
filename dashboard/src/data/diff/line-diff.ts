/** More pairs of lines than this are not compared: all old lines go, all new ones come. */
const MAX_PAIRS = 250_000;

/** What changed between two texts, as the lines of a unified diff without its headers. */
export function lineDiff(before: string, after: string): string[] {
  const old = before.split('\n');
  const now = after.split('\n');
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
  let end = 0;
  while (
    end < Math.min(old.length, now.length) - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end += 1;
  return [
    ...old.slice(0, start).map(line => ` ${line}`),
    ...changed(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map(line => ` ${line}`),
  ];
}

/** By the longest lines that both have in common, in order. */
function changed(old: string[], now: string[]): string[] {
  if (old.length * now.length > MAX_PAIRS)
    return [...old.map(line => `-${line}`), ...now.map(line => `+${line}`)];
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1)
      common[i * width + j] =
        old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push(` ${old[i]}`);
      i += 1;
      j += 1;
    } else if (i < old.length && (j === now.length || at(i + 1, j) >= at(i, j + 1)))
      lines.push(`-${old[i++]}`);
    else lines.push(`+${now[j++]}`);
  }
  return lines;
}
