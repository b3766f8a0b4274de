/** Counts the lines before an index, in whatever order places are asked for. */
export function lineCounter(text: string): (index: number) => number {
  let starts: number[] | undefined;
  return index => {
    starts ??= lineStarts(text);
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= index) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** Where each line but the first begins. */
function lineStarts(text: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
