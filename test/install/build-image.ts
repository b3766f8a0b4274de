import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, delimiter, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import {
  type Copy,
  DockerfileParser,
  type Env,
  type Instruction,
  type JSONInstruction,
} from 'dockerfile-ast';
import { registryAccess } from '../support/checkout.ts';

const run = promisify(execFile);

/** What the last stage of a Dockerfile leaves, in a folder that stands for `/`. */
export interface Image {
  root: string;
  env: Record<string, string>;
  user: string;
  entrypoint: string[];
  command: string[];
  health: string[];
  volumes: string[];
  /** What was asked of `apt-get`: the only thing that is noted and not done. */
  installed: string[];
}

/** What the user of an image with that name is here, where root builds. */
export const NODE_USER = { uid: 1000, gid: 1000 };
/** What every image has; `npm` and the shell are this machine's. */
const BASE = ['usr/local/bin', 'root', 'tmp', 'var/lib'];

/**
 * Carries out the steps of a Dockerfile, stage by stage, without an engine: each stage in an empty
 * folder of `into`, with the files of `context` that .dockerignore leaves, and the release of Node
 * that FROM names. Absolute paths in commands are those of the stage.
 */
export async function buildImage(
  context: string,
  into: string,
  nodeFor: (major: string) => string,
): Promise<Image> {
  const file = DockerfileParser.parse(readFileSync(join(context, 'Dockerfile'), 'utf8'));
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const instruction of file.getInstructions()) {
    const keyword = instruction.getKeyword();
    if (keyword === 'FROM') {
      const [, base, , name] = /^FROM (\S+)( AS (\S+))?$/.exec(instruction.toString()) ?? [];
      const major = /^node:(\d+)-[\w-]*slim$/.exec(base ?? '')?.[1];
      if (!major) throw new Error(`${base} is not a slim image of Node.`);
      stage = new Stage(join(into, `stage-${stages.size}`), dirname(nodeFor(major)));
      stages.set(name ?? 'last', stage);
    } else if (keyword === 'COPY') copy(instruction as Copy, stage!, stages, context);
    else await stage!.carryOut(keyword, instruction);
  }
  return stage!.image;
}

class Stage {
  readonly image: Image;
  readonly #bin: string;
  readonly #path: string;
  #args: Record<string, string> = {};
  workdir = '/';

  constructor(root: string, node: string) {
    this.image = {
      ...{ root, env: {}, user: 'root', entrypoint: [], command: [], health: [] },
      ...{ volumes: [], installed: [] },
    };
    for (const folder of BASE) mkdirSync(join(root, folder), { recursive: true });
    this.#bin = `${root}-programs`;
    mkdirSync(this.#bin);
    const isRoot = process.getuid?.() === 0;
    this.#program('apt-get', `echo "$*" >> '${this.#bin}/installed'`);
    this.#program(
      'chown',
      isRoot ? `shift; exec /bin/chown ${NODE_USER.uid}:${NODE_USER.gid} "$@"` : ':',
    );
    this.#path = [this.#bin, join(root, 'usr/local/bin'), node, '/usr/bin', '/bin'].join(delimiter);
  }

  #program(name: string, script: string): void {
    writeFileSync(join(this.#bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(this.#bin, name), 0o755);
  }

  async carryOut(keyword: string, instruction: Instruction): Promise<void> {
    const { image } = this;
    const list = () =>
      (instruction as JSONInstruction)
        .getJSONStrings()
        .map(each => JSON.parse(each.getValue()) as string);
    const text = instruction.getArgumentsContent() ?? '';
    if (keyword === 'RUN') await this.#run(text);
    else if (keyword === 'WORKDIR')
      mkdirSync(join(image.root, (this.workdir = text)), { recursive: true });
    else if (keyword === 'ENV')
      for (const property of (instruction as Env).getProperties())
        image.env[property.getName()] = property.getValue() ?? '';
    else if (keyword === 'ARG')
      this.#args = { ...this.#args, [text.replace(/=.*/, '')]: text.replace(/^[^=]*=?/, '') };
    else if (keyword === 'USER') image.user = text;
    else if (keyword === 'VOLUME') image.volumes.push(text);
    else if (keyword === 'ENTRYPOINT') image.entrypoint = list();
    else if (keyword === 'CMD') image.command = list();
    else if (keyword === 'HEALTHCHECK')
      image.health = JSON.parse(text.replace(/^.*?CMD (?=\[)/s, '')) as string[];
    else if (!['LABEL', 'EXPOSE'].includes(keyword))
      throw new Error(`${keyword} is not known here.`);
  }

  async #run(command: string): Promise<void> {
    const { root, env } = this.image;
    // A path of the stage at the beginning of a word.
    const here = command.replace(/(?<=^|[\s"'=])\/(?=(?:app|src|usr|var|tmp|root)\b)/g, `${root}/`);
    await run('/bin/sh', ['-euc', here], {
      cwd: join(root, this.workdir),
      env: {
        ...registryAccess(),
        PATH: this.#path,
        HOME: join(root, 'root'),
        ...this.#args,
        ...env,
      },
      maxBuffer: 1e8,
    });
    const noted = join(this.#bin, 'installed');
    this.image.installed = existsSync(noted) ? readFileSync(noted, 'utf8').trim().split('\n') : [];
  }
}

/** COPY, of one file or folder, or of what a `*` in a name finds. */
function copy(instruction: Copy, stage: Stage, stages: Map<string, Stage>, context: string): void {
  const from = instruction.getFromFlag()?.getValue();
  const words = instruction.getArguments().map(each => each.getValue());
  const to = words.pop() ?? '';
  const target = join(stage.image.root, to.startsWith('/') ? to : join(stage.workdir, to));
  const top = from ? stages.get(from)!.image.root : context;
  const ignored = from
    ? []
    : readFileSync(join(context, '.dockerignore'), 'utf8').trim().split('\n');
  const isIgnored = (path: string) =>
    ignored.some(each => new RegExp(`^${patternOf(each)}(/|$)`).test(relative(top, path)));
  for (const source of words.flatMap(word => matching(top, word))) {
    const isFolder = statSync(source).isDirectory();
    const place = !isFolder && /(^\.|\/)$/.test(to) ? join(target, basename(source)) : target;
    cpSync(source, place, {
      recursive: true,
      verbatimSymlinks: true,
      filter: path => !isIgnored(path),
    });
  }
}

function matching(top: string, word: string): string[] {
  const folder = join(top, dirname(word));
  const name = basename(word);
  if (!name.includes('*')) return [join(folder, name)];
  const pattern = new RegExp(`^${patternOf(name)}$`);
  const found = readdirSync(folder).filter(each => pattern.test(each));
  if (found.length === 0) throw new Error(`COPY finds no ${word}.`);
  return found.map(each => join(folder, each));
}

function patternOf(name: string): string {
  return name.replaceAll('.', '\\.').replaceAll('*', '[^/]*');
}
