/** What a comparison found, in numbers and examples. */
export interface ComparedPages {
  pages: number;
  right: number;
  elsewhere: number;
  withoutFile: number;
  examples: { file: string; ours: string; url: string }[];
  /** Some addresses that have no file. */
  addresses: string[];
}

/** One sentence for people on where the pages of a published site are. */
export function comparisonText(one: ComparedPages): string {
  const { pages, right, elsewhere, withoutFile, examples, addresses } = one;
  const missing = pages - right - elsewhere;
  const [example] = examples;
  const parts = [
    `${right === pages ? 'all' : `${number(right)} of`} ${number(pages)} pages are where we say`,
    ...(elsewhere > 0
      ? [`${number(elsewhere)} ${verb(elsewhere)} elsewhere${suchAs(example)}`]
      : []),
    ...(missing > 0 ? [`${number(missing)} ${verb(missing)} not in what the site lists`] : []),
  ];
  const rest =
    withoutFile === 0
      ? ''
      : `; ${number(withoutFile)} ${withoutFile === 1 ? 'address has' : 'addresses have'} no file` +
        (addresses[0] === undefined ? '' : `, such as ${addresses[0]}`);
  const text = `${parts.join(', ')}${rest}.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function suchAs(example: ComparedPages['examples'][number] | undefined): string {
  return example ? `, such as ${example.file} at ${example.url}` : '';
}

function verb(count: number): string {
  return count === 1 ? 'is' : 'are';
}

function number(count: number): string {
  return count.toLocaleString('en');
}
