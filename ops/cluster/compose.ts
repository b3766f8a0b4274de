import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ConfigSchema } from '../../shared/config.ts';
import { ConfigError } from '../../shared/errors.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** What a service of docker-compose.yml is started with. */
export interface ComposeService {
  /** As the container gets it: what the image sets, `env_file`, and `environment`, which wins. */
  environment: Record<string, string>;
  entrypoint: string[];
  command: string[];
  /** Without the registry's name; empty if it is built here. */
  imageTag: string;
}

export interface Compose {
  services: Record<string, ComposeService>;
  /** Contents of the files under `configs`, by name. */
  configs: Record<string, string>;
}

/**
 * Reads docker-compose.yml as compose does, with `values` as the content of `.env`: in place of the
 * file's variables, and for the services that name it as their `env_file`. Services that are built
 * here have the Dockerfile's environment, too.
 */
export async function readCompose(values: Record<string, string | undefined>): Promise<Compose> {
  const [yaml, dockerfile] = await Promise.all(
    ['docker-compose.yml', 'Dockerfile'].map(name => readFile(join(ROOT, name), 'utf8')),
  );
  const document = filled(parse(yaml as string, { merge: true }), values) as Document;
  const image = imageEnvironment(dockerfile as string);
  const given = Object.fromEntries(
    Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  return {
    services: Object.fromEntries(
      Object.entries(document.services).map(([name, service]) => [
        name,
        {
          environment: {
            ...(service.build && image),
            ...(service.env_file?.includes('.env') && given),
            ...service.environment,
          },
          entrypoint: service.entrypoint ?? [],
          command: service.command ?? [],
          imageTag: service.image.split(':')[1] ?? '',
        },
      ]),
    ),
    configs: Object.fromEntries(
      Object.entries(document.configs).map(([name, { content }]) => [name, content]),
    ),
  };
}

/** Of an environment, what people would write into `.env`: settings, and credentials of clouds. */
export function ofEnvFile(env: Record<string, string | undefined>) {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => name in ConfigSchema.properties || /^(?:AWS|GOOGLE)_/.test(name),
    ),
  );
}

interface Document {
  services: Record<
    string,
    {
      image: string;
      build?: string;
      env_file?: string[];
      environment?: Record<string, string>;
      entrypoint?: string[];
      command?: string[];
    }
  >;
  configs: Record<string, { content: string }>;
}

/** The names and values of the last image's ENV lines. */
function imageEnvironment(dockerfile: string): Record<string, string> {
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  const pairs = [...last.matchAll(/^ENV (.+)$/gm)].flatMap(([, line = '']) => line.split(/\s+/));
  return Object.fromEntries(pairs.map(pair => pair.split('=') as [string, string]));
}

/** `${NAME:-fallback}`, `${NAME:?message}` and `$$`, in every text of a document. */
function filled(node: unknown, values: Record<string, string | undefined>): unknown {
  if (typeof node === 'string') return fill(node, values);
  if (Array.isArray(node)) return node.map(each => filled(each, values));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, filled(value, values)]),
  );
}

function fill(text: string, values: Record<string, string | undefined>): string {
  return text.replace(
    /\$\$|\$\{(\w+):([-?])([^}]*)\}/g,
    (whole, name: string | undefined, kind: string, rest: string) => {
      if (name === undefined) return '$';
      const value = values[name];
      if (value) return value;
      if (kind === '-') return rest;
      throw new ConfigError(`docker-compose.yml: ${rest}.`);
    },
  );
}
