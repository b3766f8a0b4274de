import { de } from './de.ts';
import { en, type Labels } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import { pt } from './pt.ts';
import { zh } from './zh.ts';

const LANGUAGES: Record<string, Labels> = { en, de, fr, es, pt, ja, zh };
const RIGHT_TO_LEFT = /^(ar|dv|fa|he|ku|ps|sd|ug|ur|yi)\b/i;

/** The labels of the first language that we have: the one asked for, the page's, the reader's. */
export function labelsFor(wanted: string | undefined): { language: string; labels: Labels } {
  const asked = [wanted ?? '', document.documentElement.lang, navigator.language];
  const language = asked
    .map(tag => tag.toLowerCase().split('-')[0]!)
    .find(tag => Object.hasOwn(LANGUAGES, tag));
  return { language: language ?? 'en', labels: LANGUAGES[language ?? 'en']! };
}

/** As the page is written, unless a language is asked for that says otherwise. */
export function directionFor(wanted: string | undefined): 'ltr' | 'rtl' {
  if (wanted) return RIGHT_TO_LEFT.test(wanted) ? 'rtl' : 'ltr';
  return getComputedStyle(document.documentElement).direction === 'rtl' ? 'rtl' : 'ltr';
}
