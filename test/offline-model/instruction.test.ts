import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Intent, readInstruction } from '../../offline-model/instruction.ts';

/** What an instruction means, in short. */
function meaning(text: string): string[] {
  return readInstruction(text).map(({ intent }) => (intent ? short(intent) : '?'));
}

function short(intent: Intent): string {
  const place =
    'scope' in intent
      ? [
          intent.scope.section && `section ${intent.scope.section.text}`,
          intent.scope.place && `in ${intent.scope.place.text}`,
          intent.scope.unclear && `unclear ${intent.scope.unclear}`,
          intent.scope.except && `not ${intent.scope.except.text}`,
          intent.scope.spare && `not ${intent.scope.spare}`,
          intent.scope.lines && `line ${intent.scope.lines.from}-${intent.scope.lines.to}`,
          intent.scope.kind !== 'all' && intent.scope.kind,
        ].filter(Boolean)
      : [];
  const what = {
    replace: (one: Intent) => one.kind === 'replace' && `${one.from.text} > ${one.to.text}`,
    limit: (one: Intent) => one.kind === 'limit' && `${one.noun} ${one.from} > ${one.to}`,
    bump: (one: Intent) =>
      one.kind === 'bump' && `${one.name?.text ?? ''} ${one.from ?? ''} > ${one.to}`,
    typo: (one: Intent) =>
      one.kind === 'typo' && [one.word?.text ?? 'any', one.right?.text].filter(Boolean).join(' > '),
    frontmatter: (one: Intent) =>
      one.kind === 'frontmatter' && `${one.page.text} ${one.member} = ${one.value}`,
    'add-text': (one: Intent) =>
      one.kind === 'add-text' &&
      `${one.page.text} ${one.section ? `${one.section} ` : ''}${one.at} + ${one.text}`,
    'move-page': (one: Intent) => one.kind === 'move-page' && `${one.page.text} > ${one.to}`,
    'delete-page': (one: Intent) =>
      one.kind === 'delete-page' && `${one.page.text} > ${one.redirectTo?.text ?? ''}`,
  } as Record<string, (one: Intent) => string | false>;
  return [intent.kind, what[intent.kind]?.(intent) ?? '', ...place].filter(Boolean).join(': ');
}

describe('reading instructions', () => {
  it.each([
    [
      'replace',
      'foo.bar > foo.baz',
      [
        'Replace foo.bar with foo.baz',
        'please rename `foo.bar` to `foo.baz`.',
        'foo.bar -> foo.baz',
        'Change all instances of "foo.bar" to "foo.baz"',
        'Use foo.baz instead of foo.bar',
        'docs: update references to foo.bar to foo.baz (#12)',
        'The option "foo.bar" is now called "foo.baz"',
        'Could you swap foo.bar for foo.baz?',
      ],
    ],
    [
      'typo',
      'retrun > return',
      [
        'Fix typo: retrun -> return',
        'correct the typo "retrun" to "return"',
        'Typo: "retrun" should be "return"',
        'Fixed a typo (retrun => return)',
        'fix typo - retrun should be return',
        'Fix typo: change retrun to return',
        'retrun → return typo',
        "Typo fix from 'retrun' to 'return'",
        'Fix the spelling of retrun to return',
      ],
    ],
    [
      'typo',
      'retrun',
      [
        'fix retrun typo',
        'Fix typo for "retrun"',
        'typo in "retrun"',
        'Fixed a typo (retrun)',
        'correct the misspelling of "retrun"',
      ],
    ],
    [
      'replace',
      'fooBar > bazQux',
      [
        '[docs] Rename fooBar to bazQux',
        '✏️ rename the function name fooBar to bazQux',
        'Replace deprecated fooBar with bazQux',
        'Renamed fooBar to bazQux',
        'Change the method name from fooBar to bazQux',
      ],
    ],
    [
      'replace',
      'Jade > Pug',
      ['Change Jade to Pug', 'update Jade to Pug', 'Change the name from Jade to Pug'],
    ],
    [
      'replace',
      '```javascript > ```js',
      [
        'Switch javascript code blocks to js',
        'change code blocks from javascript to js',
        'Change `javascript` to `js` code fences',
      ],
    ],
    ['bump', 'Node.js 18 > 20', ['Bump Node.js from 18 to 20', 'upgrade Node.js from 18 to 20']],
    [
      'limit',
      'tag 3 > 5',
      [
        'Raise the tag limit from 3 to 5',
        'Update the docs to reflect the new tag limit of 5 (up from 3)',
        'The tag limit is now 5, not 3',
      ],
    ],
    [
      'frontmatter',
      'docs/a.md title = New',
      [
        'Change the title of docs/a.md to "New"',
        'Set the title to "New" in docs/a.md',
        'In docs/a.md, set the title to New',
        "Update docs/a.md's title to New",
        'retitle docs/a.md as New',
      ],
    ],
    [
      'add-text',
      'docs/a.md end + 17',
      [
        'Append the line 17 to docs/a.md',
        'append 17 to docs/a.md',
        'Add the line "17" at the end of docs/a.md',
        'Append to docs/a.md: 17',
        'At the end of docs/a.md, add the line 17',
      ],
    ],
    [
      'add-text',
      'docs/a.md Set up end + Done.',
      [
        'Append the sentence "Done." to the section "Set up" of docs/a.md',
        'Add the sentence "Done." to the Set up section of docs/a.md',
        'Add "Done." at the end of the section "Set up" in docs/a.md',
        'Add to the section "Set up" of docs/a.md: Done.',
        'In the Set up section of docs/a.md, add the sentence "Done."',
        'In docs/a.md, add the line "Done." to the section "Set up"',
      ],
    ],
    [
      'replace',
      'foo > bar: in docs/a.md: line 5-5',
      [
        'Replace "foo" with "bar" on line 5 of docs/a.md',
        'On line 5 of docs/a.md, replace "foo" with "bar"',
        'In docs/a.md, replace "foo" with "bar" on line 5',
        'Change "foo" to "bar" in docs/a.md, line 5',
      ],
    ],
    [
      'replace',
      'foo > bar: not blocks',
      [
        'Replace "foo" with "bar" except in code blocks',
        'Rename foo to bar. Do not change code blocks.',
        'Rename foo to bar everywhere, but not in code samples',
      ],
    ],
    [
      'move-page',
      'docs/a.md > docs/b.md',
      ['Move docs/a.md to docs/b.md', 'rename the page docs/a.md to docs/b.md'],
    ],
    [
      'delete-page',
      'docs/a.md > docs/b.md',
      [
        'Delete docs/a.md and redirect to docs/b.md',
        'remove the page docs/a.md, with a redirect to docs/b.md',
      ],
    ],
  ])('%s: %s', (kind, what, ways) => {
    for (const way of ways)
      expect({ way, meaning: meaning(way) }).toEqual({ way, meaning: [`${kind}: ${what}`] });
  });

  it.each([
    ['Rename workflows to automations across the docs', 'replace: workflows > automations'],
    [
      'Replace `a.b` with `c.d` in docs/guides and docs/api',
      'replace: a.b > c.d: in docs/guides and docs/api',
    ],
    ['Replace "a" with "b" everywhere except changelog.md', 'replace: a > b: not changelog.md'],
    ['In the install page, change 8080 to 9090', 'replace: 8080 > 9090: in install'],
    ['Update v2 to v3 in all code samples', 'replace: v2 > v3: blocks'],
    ['Replace all references to Node 14 with Node 18', 'replace: Node 14 > Node 18'],
    ['Update docs to reference `pkg@latest` instead of `@next`', 'replace: pkg@next > pkg@latest'],
    [
      'Use `@acme.dev/cli@2.0.0-rc.1` instead of `@1`',
      'replace: @acme.dev/cli@1 > @acme.dev/cli@2.0.0-rc.1',
    ],
    ['Use "joe@b.com" instead of "@next"', 'replace: @next > joe@b.com'],
    ['Change the npm tag from "latest" to "beta"', 'replace: @latest > @beta'],
    ['Change the docker tag from `bullseye` to `bookworm`', 'replace: bullseye > bookworm'],
    ['fix spelling mistakes in guides', 'typo: any: in guides'],
    ['Fixed two typos', 'typo: any'],
    [
      'Fix typo in `docs/a.md`, "React Query" to "TanStack Query"',
      'typo: React Query > TanStack Query: in docs/a.md',
    ],
    ['fix the typo in the link to faq', 'typo: any: in link to faq'],
    ['Update swc.md - rename fooBar to bazQux', 'replace: fooBar > bazQux: in swc.md'],
    ['Test utils: isFoo -> isBar', 'replace: isFoo > isBar: in Test utils'],
    ['Replace "a" with "b" to match the CLI', 'replace: a > b'],
    ['Replace "a" with "b" and leave the rest as it is', 'replace: a > b'],
    ['Replace "a" with "b". Thanks!', 'replace: a > b'],
    ['Replace "a" with "b" at most twice', 'replace: a > b: unclear at most twice'],
    ['Replace all "a" with "b" below the Usage heading', 'replace: a > b: section Usage'],
    ['Replace "a" with "b" in docs/x.md#install', 'replace: a > b: section install: in docs/x.md'],
    [
      'Replace "a" with "b" in docs/x.md (Install section)',
      'replace: a > b: section Install: in docs/x.md',
    ],
    [
      'Only in the Install section of docs/x.md, replace "a" with "b"',
      'replace: a > b: section Install: in docs/x.md',
    ],
    ['Fix the typo "recieve" only in the table', 'typo: recieve: in table: unclear the table'],
    ['Bump Node.js from 18 to 20 in code blocks only', 'bump: Node.js 18 > 20: blocks'],
    ['Rename foo to bar - docs/x.md', 'replace: foo > bar: in docs/x.md'],
    ['update Python 3.9 to 3.11', 'bump: Python 3.9 > 3.11'],
    ['use let instead of const', 'replace: const > let: code'],
  ])('%s', (text, expected) => expect(meaning(text)).toEqual([expected]));

  it.each([
    'Replace the intro with a better one',
    'Improve the tone of the guides',
    'Document the new API',
    'Write a page about webhooks',
    'What is Docent?',
    'Update documentation for listening to 0.0.0.0',
    'Add a note about rate limits to docs/api.md',
    'Mention that it runs on Windows',
    'Translate the docs into French',
    'use tables instead of lists',
    'change the tone to friendly',
    'Update the guide to mention Pug',
    'change code examples to typescript',
    'Update class to interface',
    'change the section heading from route to intercept',
    'convert lists to tables',
    'Rename foo to bar and baz to qux',
  ])('does not pretend to understand: %s', text => expect(meaning(text)).toEqual(['?']));

  it.each(['""', "''", '``', '“”'])('takes empty quotes for no text: %s', none => {
    for (const way of [`Replace "foo" with ${none}`, `Change "foo" to ${none}.`])
      expect({ way, meaning: meaning(way) }).toEqual({ way, meaning: ['replace: foo > '] });
    expect(meaning(`Set the description of docs/a.md to ${none}`)).toEqual([
      'frontmatter: docs/a.md description = ',
    ]);
    expect(meaning(`Replace ${none} with "foo"`)).toEqual(['?']);
  });

  it.each([
    'Replace "foo" with nothing',
    'Change foo to nothing',
    'Rename foo to an empty string',
    'Set the description of docs/a.md to nothing',
  ])('asks whether a word or no text is meant: %s', text => expect(meaning(text)).toEqual(['?']));

  it.each([
    '«',
    '“',
    '‘',
    '“ ',
    '```x\n',
    'replace a with b ',
    'rename a to b ',
    'in the page ',
    '"a" to "b" and ',
    ' ',
    '`',
    "it's ",
    'Do this. ',
    'append to the page ',
    'limit of 3 ',
    'x',
  ])('is not held up by 100,000 characters of %j', part => {
    const started = performance.now();
    for (const lead of ['', 'replace ', 'Add a page x.md with ', 'fix typo '])
      readInstruction(lead + part.repeat(100_000 / part.length));
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it('understands every example of its page', async () => {
    const page = await readFile(
      join(import.meta.dirname, '../../docs/agent/offline-model.md'),
      'utf8',
    );
    const examples = [...page.matchAll(/^\|.*\| `(.+)` \|$|: `((?:In|Rename) .+?)`/gm)].map(
      match => match[1] ?? match[2] ?? '',
    );
    expect(examples.length).toBeGreaterThan(20);
    for (const example of examples)
      expect({ example, meaning: meaning(example).join() }).toEqual({
        example,
        meaning: expect.not.stringMatching(/^$|\?|unclear/),
      });
  });

  it('keeps several instructions apart, and in order', () => {
    expect(meaning('1. Rename `a` to `b`\n2. Fix broken links\n3. Sing a song')).toEqual([
      'replace: a > b',
      'links',
      '?',
    ]);
    expect(meaning('Change "a" to "b" and "c" to "d"')).toEqual([
      'replace: a > b',
      'replace: c > d',
    ]);
    expect(meaning('Change "a" to "b" and "c" to "d" in docs/x.md. Fix broken links.')).toEqual([
      'replace: a > b: in docs/x.md',
      'replace: c > d: in docs/x.md',
      'links',
    ]);
    expect(meaning('Change "a" to "b", "c" to "d" and fix broken links')).toEqual([
      'replace: a > b',
      'replace: c > d',
      'links',
    ]);
    expect(meaning('Fixed minor typos (specifices > specifies, comming>coming)')).toEqual([
      'typo: specifices > specifies',
      'typo: comming > coming',
    ]);
    expect(meaning('Rename `a.b` to `c`, and then bump Node.js from 18 to 20.')).toEqual([
      'replace: a.b > c',
      'bump: Node.js 18 > 20',
    ]);
  });
});
