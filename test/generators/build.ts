import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BuiltKind } from './packages.ts';

const run = promisify(execFile);

interface Builder {
  /** Arguments of the strict build, run in the site's folder. */
  command(generator: string): string[];
  /** Folder of the built site, below the site's folder. */
  output: string;
  /** What a build prints where it found something, if it does not stop for it. */
  warning?: RegExp;
}

const venv = (generator: string, program: string) => join(generator, 'venv', 'bin', program);
const bin = (generator: string, program: string) =>
  join(generator, 'node_modules', '.bin', program);

/** Each as strict as the generator can be. */
const BUILDERS: Record<BuiltKind, Builder> = {
  docusaurus: {
    command: generator => [bin(generator, 'docusaurus'), 'build'],
    output: 'build',
    warning: /\[WARNING\]/,
  },
  mkdocs: {
    command: generator => [venv(generator, 'mkdocs'), 'build', '--strict'],
    output: 'site',
    warning: /^WARNING/m,
  },
  vitepress: {
    command: generator => [bin(generator, 'vitepress'), 'build', 'docs'],
    output: 'docs/.vitepress/dist',
    warning: /\(!\)/,
  },
  starlight: {
    command: generator => [bin(generator, 'astro'), 'build'],
    output: 'dist',
    warning: /\[WARN\]/,
  },
  mdbook: {
    command: generator => [venv(generator, 'mdbook'), 'build'],
    output: 'book',
    warning: /\bWARN\b/,
  },
  hugo: {
    command: generator => [venv(generator, 'hugo'), '--panicOnWarning', '--printPathWarnings'],
    output: 'public',
    warning: /\bWARN\b/,
  },
  sphinx: {
    command: generator => [
      venv(generator, 'sphinx-build'),
      ...['-b', 'html', '-n', '-W', '--keep-going', '-d', 'doctrees', 'docs', 'html'],
    ],
    output: 'html',
    warning: /WARNING/,
  },
};

/** A copy of a site below the generator's folder, where its configuration finds the packages. */
export interface SiteCopy {
  folder: string;
  /** Folder of the built site. */
  output: string;
  /** Builds as strictly as the kind can; throws with what the generator says. */
  build(): Promise<void>;
  remove(): void;
}

export function siteCopy(kind: BuiltKind, generator: string): SiteCopy {
  const folder = mkdtempSync(join(generator, 'site-'));
  const builder = BUILDERS[kind];
  const output = join(folder, builder.output);
  return {
    folder,
    output,
    async build() {
      rmSync(output, { recursive: true, force: true });
      const [program = '', ...given] = builder.command(generator);
      const said = await run(program, given, {
        cwd: folder,
        timeout: 300_000,
        maxBuffer: 50_000_000,
        env: { ...process.env, CI: 'true', NO_COLOR: '1', ...QUIET },
      }).catch((error: { stdout?: string; stderr?: string }) => {
        throw new Error(`${kind} does not build:\n${error.stdout ?? ''}\n${error.stderr ?? ''}`);
      });
      const text = `${said.stdout}\n${said.stderr}`;
      if (builder.warning?.test(text)) throw new Error(`${kind} builds with warnings:\n${text}`);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** No news, no statistics, no checks for updates. */
const QUIET = {
  ASTRO_TELEMETRY_DISABLED: '1',
  NO_UPDATE_NOTIFIER: '1',
  NO_MKDOCS_2_WARNING: '1',
  NODE_OPTIONS: '',
};

/** Replaces the files of a copy. */
export function putFiles(copy: SiteCopy, from: string): void {
  emptyCopy(copy);
  cpSync(from, copy.folder, { recursive: true });
}

export function emptyCopy({ folder }: SiteCopy): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
}
