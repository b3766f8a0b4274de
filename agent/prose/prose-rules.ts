import { createHash } from 'node:crypto';
import { parseSettings, writeSettings } from './vale-settings.ts';
import { ruleProblem, styleFile } from './vale-styles.ts';

/** Files of a repository: links and submodules are not among them. */
export interface RepositoryFiles {
  paths: readonly string[];
  read(path: string): Promise<Buffer | undefined>;
}

/** What a repository's prose is checked by. */
export interface ProseRules {
  /** The folder of `.vale.ini`, which its patterns count from: empty for the top. */
  folder: string;
  file: string;
  settings: string;
  /** By path below the folder of styles. */
  styles: ReadonlyMap<string, Buffer>;
  /** No style of the settings is there: nothing would be found. */
  isEmpty: boolean;
  /** Sentences on what is not applied. */
  notes: string[];
  /** The same for the same rules. */
  key: string;
}

const NAME = '.vale.ini';
const MAX_FILES = 3_000;
const LARGEST_RULE = 1024 * 1024;
const LARGEST = 16 * 1024 * 1024;
const MAX_NOTES = 5;

/**
 * The rules of the `.vale.ini` in the docs folder, else of the nearest one above; null: there is
 * none. Styles are read from the repository alone.
 */
export async function readProseRules(
  files: RepositoryFiles,
  docsFolder: string,
): Promise<ProseRules | null> {
  const paths = new Set(files.paths);
  const segments = docsFolder === '' ? [] : docsFolder.split('/');
  const file = [...segments.keys(), segments.length]
    .map(count => [...segments.slice(0, count), NAME].join('/'))
    .findLast(path => paths.has(path));
  const bytes = file === undefined ? undefined : await files.read(file);
  if (file === undefined || bytes === undefined) return null;
  const folder = file.slice(0, -NAME.length - 1);
  const parsed = parseSettings(bytes.toString('utf8'));
  const stylesFolder = inRepository(folder, parsed.stylesPath);
  if (stylesFolder === undefined)
    return nothing(file, folder, `StylesPath leads out of the repository: ${parsed.stylesPath}.`);
  const { styles, problems } = await readStyles(files, stylesFolder);
  const written = writeSettings(parsed, 'styles', namesOf(styles));
  const missing = written.missing.map(
    name =>
      `${name} is not in the repository, so it was not applied. ` +
      'Packages are not downloaded: commit the style.',
  );
  const notes = [...missing, ...problems];
  if (notes.length > MAX_NOTES) notes.splice(MAX_NOTES, Infinity, 'More files are not applied.');
  return {
    folder,
    file,
    settings: written.text,
    styles,
    isEmpty: !written.hasRules,
    notes,
    key: keyOf(written.text, styles),
  };
}

/** Null counts as a folder that has no files. */
function inRepository(folder: string, stylesPath: string | null): string | null | undefined {
  if (stylesPath === null || stylesPath === '') return null;
  if (/^[/~\\]|[\\:$]/.test(stylesPath)) return undefined;
  const result = folder === '' ? [] : folder.split('/');
  for (const segment of stylesPath.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') result.push(segment);
    else if (result.pop() === undefined) return undefined;
  }
  return result.join('/');
}

async function readStyles(
  files: RepositoryFiles,
  folder: string | null,
): Promise<{ styles: Map<string, Buffer>; problems: string[] }> {
  const styles = new Map<string, Buffer>();
  const problems: string[] = [];
  if (folder === null) return { styles, problems };
  const prefix = folder === '' ? '' : `${folder}/`;
  const wanted = files.paths
    .filter(path => path.startsWith(prefix))
    .map(path => path.slice(prefix.length))
    .filter(path => styleFile(path) !== undefined);
  if (wanted.length > MAX_FILES) problems.push(`${folder} has over ${MAX_FILES} files of styles.`);
  const read = wanted
    .slice(0, MAX_FILES)
    .map(async path => [path, await files.read(prefix + path)] as const);
  let room = LARGEST;
  for (const [path, bytes] of await Promise.all(read)) {
    if (bytes === undefined) continue;
    const problem =
      (room -= bytes.length) < 0 ? 'the files of styles are over 16 MiB' : problemOf(path, bytes);
    if (problem === undefined) styles.set(path, bytes);
    else problems.push(`${prefix}${path} is not applied: ${problem}.`);
  }
  return { styles, problems };
}

function problemOf(path: string, bytes: Buffer): string | undefined {
  if (styleFile(path)?.kind !== 'rule') return undefined;
  if (bytes.length > LARGEST_RULE) return 'it is over 1 MiB';
  return ruleProblem(bytes.toString('utf8'));
}

function namesOf(styles: ReadonlyMap<string, Buffer>) {
  const names = { styles: new Set<string>(), vocabularies: new Set<string>() };
  for (const path of styles.keys()) {
    const file = styleFile(path);
    if (file?.kind === 'rule') names.styles.add(file.style);
    if (file?.kind === 'vocabulary') names.vocabularies.add(file.name);
  }
  return names;
}

function nothing(file: string, folder: string, note: string): ProseRules {
  return {
    file,
    folder,
    settings: '',
    styles: new Map(),
    isEmpty: true,
    notes: [note],
    key: '',
  };
}

function keyOf(settings: string, styles: ReadonlyMap<string, Buffer>): string {
  const hash = createHash('sha256').update(settings);
  for (const [path, bytes] of styles) hash.update(`\0${path}\0${bytes.length}\0`).update(bytes);
  return hash.digest('hex');
}
