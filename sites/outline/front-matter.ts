import { parse as parseToml } from 'smol-toml';
import { frontMatterValue, parseBoundedYaml } from '../bounded-yaml.ts';
import { objectOf } from '../values.ts';

export interface FrontMatter {
  members: Record<string, unknown>;
  /** Text after the front matter. */
  body: string;
  /** Lines before the body. */
  lines: number;
  /** Why it cannot be read, with its 1-based line. */
  error?: { line: number; message: string };
}

/**
 * Splits a page into front matter and body: YAML between `---`, TOML between `+++`. Never throws;
 * what cannot be parsed leaves `members` empty and says why.
 */
export function readFrontMatter(source: string): FrontMatter {
  const text = source.replace(/^\uFEFF/, '');
  const match = /^(---|\+\+\+)[ \t]*\r?\n([\s\S]*?)(?:^|\n)\1[ \t]*(?:\r?\n|$)/.exec(text);
  if (!match) return { members: {}, body: text, lines: 0 };
  const [whole, fence, written = ''] = match;
  const matter = written.replace(/\r$/gm, '');
  const lines = whole.split('\n').length - 1;
  const rest = { body: text.slice(whole.length), lines };
  return { ...(fence === '---' ? yamlMembers(matter) : tomlMembers(matter)), ...rest };
}

function yamlMembers(matter: string): Pick<FrontMatter, 'members' | 'error'> {
  const plain = plainMembers(matter);
  if (plain) return { members: plain };
  const document = parseBoundedYaml(matter);
  const [problem] = document.errors;
  if (problem) {
    const line = matter.slice(0, problem.pos[0]).split('\n').length + 1;
    return { members: {}, error: { line, message: problem.message } };
  }
  try {
    return { members: objectOf(frontMatterValue(document)) };
  } catch (error) {
    return { members: {}, error: { line: 2, message: messageOf(error) } };
  }
}

/** Most front matter is a few lines of text, which the parser takes ten times as long to read. */
function plainMembers(matter: string): Record<string, unknown> | undefined {
  const members = new Map<string, unknown>();
  for (const line of matter.split('\n')) {
    const [, name = '', plain, double, single] = PLAIN_MEMBER.exec(line) ?? [];
    const text = plain ?? double ?? single;
    if (text === undefined || members.has(name) || name === '__proto__') return undefined;
    if (plain !== undefined && /^(?:null|true|false)$/i.test(plain)) {
      if (!/^(?:true|false)$/.test(plain)) return undefined;
      members.set(name, plain === 'true');
    } else members.set(name, text);
  }
  return Object.fromEntries(members);
}

/** `name: Some text`, `name: "Some: text"`: no mark that means anything in YAML, no escape. */
const PLAIN_MEMBER =
  /^([A-Za-z_][\w-]*): +(?:([A-Za-z](?:[^#:\r\n]*[^#:\s])?)|"([^"\\\r\n]*)"|'([^'\r\n]*)') *$/;

function tomlMembers(matter: string): Pick<FrontMatter, 'members' | 'error'> {
  try {
    return { members: objectOf(parseToml(matter)) };
  } catch (error) {
    return { members: {}, error: { line: 2, message: messageOf(error) } };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'cannot be read';
}
