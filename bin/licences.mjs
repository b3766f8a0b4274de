// What of others is in a packed Docent or is installed with it: a software bill of materials, made by
// npm sbom, and a list of licences with their texts. Both go into dist/, after a build.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILD_FOLDER } from './built.mjs';

const ROOT = join(import.meta.dirname, '..');
const read = (...path) => readFileSync(join(...path), 'utf8');
const { packages: lock } = JSON.parse(read(ROOT, 'package-lock.json'));

const listed = [...new Set([...bundled(), ...installed()])].toSorted((a, b) => (a < b ? -1 : 1));
const bom = JSON.parse(
  execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
    ...{ cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 },
    stdio: ['ignore', 'pipe', 'inherit'],
  }),
);
// npm takes the folder's name.
bom.metadata.component.name = lock[''].name;
const kept = new Set(listed.map(reference));
bom.components = bom.components.filter(component => kept.has(component['bom-ref']));
bom.dependencies = bom.dependencies
  .filter(({ ref }) => kept.has(ref) || ref === bom.metadata.component['bom-ref'])
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(each => kept.has(each)) }));
const known = new Set(bom.components.map(component => component['bom-ref']));
const missing = [...kept].filter(each => !known.has(each));
if (missing.length > 0) throw new Error(`npm sbom does not know ${missing.join(', ')}.`);
writeFileSync(join(BUILD_FOLDER, 'sbom.cdx.json'), `${JSON.stringify(bom)}\n`);
writeFileSync(join(BUILD_FOLDER, 'LICENCES.txt'), licences());
console.error(`Listed ${bom.components.length} packages and their licences.`);

/** Places in node_modules of what is compiled into the programs, the workflows and the dashboard. */
function bundled() {
  const texts = [
    read(BUILD_FOLDER, 'packages.json'),
    read(BUILD_FOLDER, 'workflows.js'),
    read(ROOT, 'dashboard', 'dist', '.packages'),
  ];
  return texts.flatMap(text => {
    const found = [...text.matchAll(/(?:node_modules\/(?:@[\w.-]+\/)?[\w.-]+\/)+/g)];
    if (found.length === 0) throw new Error('A bundle without a package: its list is not there.');
    return found.map(([place]) => place.slice(0, -1)).filter(place => place in lock);
  });
}

/** Places of what npm installs with the package: what it needs, and what that needs. */
function installed() {
  const places = new Set();
  const add = (from, names = {}) => {
    for (const name of Object.keys(names)) {
      const place = resolved(from, name);
      if (!place || places.has(place)) continue;
      places.add(place);
      add(place, lock[place].dependencies);
    }
  };
  add('', lock[''].dependencies);
  add('', lock[''].optionalDependencies);
  return places;
}

function resolved(from, name) {
  for (let folder = from; ; folder = folder.replace(/\/?node_modules\/(?:@[^/]+\/)?[^/]+$/, '')) {
    const place = `${folder}${folder && '/'}node_modules/${name}`;
    if (place in lock || folder === '') return place in lock ? place : undefined;
  }
}

function reference(place) {
  return `${place.split('node_modules/').at(-1)}@${lock[place].version}`;
}

/** The packages by licence text: many share one. Those of other machines bring theirs themselves. */
function licences() {
  const texts = new Map();
  for (const place of listed) {
    const heading = `${reference(place)} (${lock[place].license ?? 'see below'})`;
    const text = textOf(place);
    texts.set(text, [...(texts.get(text) ?? []), heading]);
  }
  return [...texts]
    .map(([text, headings]) => `${[...new Set(headings)].join('\n')}\n\n${text}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

function textOf(place) {
  const folder = join(ROOT, place);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return (
    names
      .filter(name => /^(licen[cs]e|copying|notice)\b[^/]*$/i.test(name))
      .map(name => read(folder, name).replaceAll('\r', '').trim())
      .join('\n\n') || 'No text of its own beside this licence.'
  );
}
