import { safeUrl } from './address.ts';
import { accentColours, type Colours } from './view/colours.ts';
import type { Labels } from './labels/en.ts';
import { directionFor, labelsFor } from './labels/languages.ts';
import type { Failure } from './failure.ts';

/** What happened, without what was asked. */
export interface WidgetEvent {
  type:
    'ready' | 'open' | 'close' | 'ask' | 'answer' | 'stop' | 'search' | 'source' | 'vote' | 'reset';
  [detail: string]: unknown;
}
interface Hooks {
  event?: (event: WidgetEvent) => void;
  error?: (error: Failure) => void;
}

/** `init` takes what the tag's attributes are called, in camel case, and what no attribute can be. */
export type RawOptions = Record<string, unknown>;

export interface Options {
  /** Undefined in the dashboard, where a person is signed in. */
  key: string | undefined;
  /** Where messages, searches and votes go. */
  addresses: { message: string; search?: string | undefined; feedback?: string | undefined };
  /** Names what is stored in the reader's browser. */
  store: string;
  fp: string;
  filter: { language?: string; version?: string };
  variant: 'button' | 'panel' | 'modal';
  theme: 'light' | 'dark' | 'system';
  side: 'left' | 'right';
  radius: number;
  zIndex: number;
  accent: Colours;
  logo: string | undefined;
  hasButton: boolean;
  language: string;
  direction: 'ltr' | 'rtl';
  labels: Labels;
  starterQuestions: string[];
  openClass: string | undefined;
  consent: boolean;
  supportUrl: string | undefined;
  container: HTMLElement | undefined;
  hooks: Hooks;
}

const MAX_STARTERS = 3;

/** Throws a sentence for the console if an option that is needed is missing. */
export function parseOptions(raw: RawOptions): Options {
  const key = text(raw['key']);
  const domain = text(raw['domain']);
  const addresses = raw['addresses'] as Options['addresses'] | undefined;
  if ((!key && !addresses) || !domain) throw new TypeError('data-key and data-domain are needed.');
  const asked = text(raw['language']);
  const { labels, language } = labelsFor(asked);
  const fp = text(raw['fp']);
  const server = (text(raw['server']) ?? '').replace(/\/$/, '');
  const at = (path: string) => `${server}/discovery/${path}`;
  const container = raw['container'];
  return {
    key,
    addresses: addresses ?? {
      message: at(`v2/assistant/${encodeURIComponent(domain)}/message`),
      search: at(`v1/search/${encodeURIComponent(domain)}`),
      feedback: at(`v1/feedback/${encodeURIComponent(domain)}`),
    },
    // Of one reader: another one may sign in to the site in the same tab.
    store: fp ? `docent:${domain}:${fp}` : `docent:${domain}`,
    fp: fp ?? 'anonymous',
    filter: {
      ...optional('language', text(raw['filterLanguage'])),
      ...optional('version', text(raw['filterVersion'])),
    },
    ...appearance(raw),
    // Labels of the site's own are in the language that it names.
    language: raw['labels'] && asked ? asked : language,
    direction: directionFor(asked),
    labels: { ...labels, ...ownLabels(raw) },
    starterQuestions: questions(raw['modalExampleQuestions']),
    openClass: text(raw['modalOverrideOpenClass']),
    consent: isTrue(raw['consentRequired']),
    supportUrl: webAddress(raw['supportUrl']),
    container: container instanceof HTMLElement ? container : undefined,
    hooks: raw['hooks'] ?? {},
  };
}

function appearance(raw: RawOptions) {
  return {
    variant: oneOf(raw['variant'], ['button', 'panel', 'modal'] as const),
    theme: oneOf(raw['theme'], ['system', 'light', 'dark'] as const),
    side: oneOf(raw['side'], ['right', 'left'] as const),
    radius: number(raw['radius'], 12, 32),
    zIndex: number(raw['zIndex'], 2_147_483_000, 2_147_483_647),
    accent: accentColours(text(raw['projectColor'])),
    logo: webAddress(raw['projectLogo']),
    hasButton: !isTrue(raw['buttonHide']),
  };
}

/** Labels that the site gives; the attributes that sites know from elsewhere are labels, too. */
function ownLabels(raw: RawOptions): Partial<Labels> {
  const name = text(raw['projectName']);
  const given = parsed(raw['labels']);
  const known = Object.entries({
    ...given,
    button: raw['buttonText'] ?? given['button'],
    title: raw['modalTitle'] ?? given['title'] ?? name,
    disclaimer: raw['modalDisclaimer'] ?? given['disclaimer'],
    consentTitle: raw['consentScreenTitle'] ?? given['consentTitle'],
    consentText: raw['consentScreenDisclaimer'] ?? given['consentText'],
    consentAccept: raw['consentScreenAcceptButtonText'] ?? given['consentAccept'],
  });
  return Object.fromEntries(known.filter(([, value]) => text(value) !== undefined));
}

function parsed(value: unknown): Record<string, unknown> {
  if (typeof value !== 'string') return (value ?? {}) as Record<string, unknown>;
  try {
    return JSON.parse(value) as Record<string, unknown>;
  } catch {
    throw new TypeError('data-labels must be JSON.');
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function optional<K extends string>(name: K, value: string | undefined): { [k in K]?: string } {
  return value === undefined ? {} : ({ [name]: value } as { [k in K]: string });
}

function isTrue(value: unknown): boolean {
  return value === true || value === 'true' || value === '';
}

function number(value: unknown, usual: number, most: number): number {
  const given = Number.parseFloat(String(value));
  return Number.isFinite(given) ? Math.min(Math.max(given, 0), most) : usual;
}

function oneOf<T extends string>(value: unknown, allowed: readonly [T, ...T[]]): T {
  return allowed.find(each => each === value) ?? allowed[0];
}

function questions(value: unknown): string[] {
  const list = Array.isArray(value) ? (value as unknown[]) : (text(value)?.split(',') ?? []);
  return list.flatMap(each => text(each) ?? []).slice(0, MAX_STARTERS);
}

/** An address that may be opened or loaded; others are dropped. */
function webAddress(value: unknown): string | undefined {
  const written = text(value);
  return written && safeUrl(written);
}
