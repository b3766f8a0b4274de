import { ObjectReader } from '../../../hosts/git/object-reader.ts';
import { drawChanges, gitDirectory, judgeChange, REPOSITORIES } from './histories.ts';

/** With git directories `<owner>+<name>`, as `git clone --bare https://github.com/<owner>/<name>` makes them. */
const FOLDER = process.env['HISTORIES'];
const SEED = Number(process.env['SEED'] ?? 37);
const OF_EACH = 12;
const LEAST_REPOSITORIES = 20;
/** What runs, loads, or is done by a template: a person is asked about it. */
const ACTS =
  /import|export|expression|element <|embed|tag <[A-Z]|template's|of a tag|includes another|event|directive|adds a code block|role|attribute v-|secret/;

const found = REPOSITORIES.flatMap(([kind, name, docsFolder]) => {
  const gitdir = FOLDER === undefined ? undefined : gitDirectory(FOLDER, name);
  return gitdir === undefined ? [] : [{ kind, name, docsFolder, gitdir }];
});
const isThere = found.length >= LEAST_REPOSITORIES;
if (!isThere)
  console.info(
    `${found.length} of ${REPOSITORIES.length} repositories are there: clone them bare into a ` +
      'folder, each as <owner>+<name>, and set HISTORIES to it.',
  );

(isThere ? it : it.skip)(
  'few of the changes that people made to public sites are not plain',
  async () => {
    const told: string[] = [];
    const kinds = new Map<string, { judged: number; refused: number; words: number }>();
    let ms = 0;
    for (const { kind, name, docsFolder, gitdir } of found) {
      const sums = kinds.get(kind) ?? { judged: 0, refused: 0, words: 0 };
      kinds.set(kind, sums);
      const reader = new ObjectReader(gitdir);
      for (const change of drawChanges(gitdir, docsFolder, { seed: SEED, most: OF_EACH })) {
        const started = performance.now();
        const refused = await judgeChange(reader, gitdir, docsFolder, change);
        ms += performance.now() - started;
        sums.judged += 1;
        if (refused.length === 0) continue;
        sums.refused += 1;
        if (!refused.some(({ message }) => ACTS.test(message))) sums.words += 1;
        const forms = new Set(
          refused.map(({ path, rule, message }) => `${path} ${rule} ${message}`),
        );
        told.push(`${kind} ${name} ${change.commit}`, ...[...forms].slice(0, 5));
      }
      reader.close();
    }
    const sum = (of: 'judged' | 'refused' | 'words') =>
      [...kinds.values()].reduce((all, one) => all + one[of], 0);
    const judged = sum('judged');
    const refused = sum('refused');
    const share = (part: number) => `${((100 * part) / judged).toFixed(1)} %`;
    console.table(Object.fromEntries(kinds));
    console.info(
      `seed ${SEED}: ${refused} of ${judged} changes are not plain (${share(refused)}), ` +
        `${sum('words')} of them have nothing that acts (${share(sum('words'))}); ` +
        `${(ms / judged).toFixed(0)} ms each\n${told.join('\n')}`,
    );
    expect(judged).toBeGreaterThanOrEqual(10 * found.length - 20);
    expect(sum('words') / judged).toBeLessThanOrEqual(0.03);
    expect(refused / judged).toBeLessThanOrEqual(0.1);
  },
  1_800_000,
);
