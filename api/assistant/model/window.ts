import { contextTokens } from '../../../shared/models/known-models.ts';
import { BYTES_PER_TOKEN, divideWindow } from '../../../shared/models/window.ts';
import type { SearchResult } from '../../../db/search/search-request.ts';

/** Our rules, the site's own, and the tools. */
const RULES_TOKENS = 2_000;

/** How a model's window is divided for an answer: tokens of the answer, characters of the rest. */
export interface AnswerWindow {
  maxTokens: number;
  /** The conversation before the question; the newest of it is kept. */
  history: number;
  /** What the reader selected. */
  selected: number;
  /** What the searches and pages of one answer bring, together. */
  passages: number;
  /** The longest page that is read whole. */
  page: number;
}

/** Larger windows are not filled: an answer needs no more, and more costs. */
const MOST = { history: 48_000, selected: 48_000, passages: 400_000, page: 40_000 };

export function answerWindow(
  config: { MODEL_CONTEXT_TOKENS?: number; ASSISTANT_MAX_OUTPUT_TOKENS: number },
  model: string,
): AnswerWindow {
  const window = contextTokens(config, model);
  const { maxTokens, room: beside } = divideWindow(window, config.ASSISTANT_MAX_OUTPUT_TOKENS);
  const room = (beside - RULES_TOKENS) * BYTES_PER_TOKEN;
  const share = (part: number, most: number) => Math.min(most, Math.floor(room * part));
  return {
    maxTokens,
    history: share(0.25, MOST.history),
    selected: share(0.15, MOST.selected),
    passages: share(0.6, MOST.passages),
    page: share(0.2, MOST.page),
  };
}

/**
 * The first sections of pages, best first, that have room together. One that alone is too long is
 * cut; nothing is given where there is no room for a useful part.
 */
export function fittingPages(pages: readonly SearchResult[], room: number): SearchResult[] {
  let left = room;
  return pages.flatMap(page => {
    const sections = page.sections.flatMap(section => {
      const text = section.text.slice(0, Math.max(0, left));
      left -= text.length;
      return text.length < Math.min(section.text.length, SHORTEST_PART)
        ? []
        : [{ ...section, text }];
    });
    return sections.length > 0 ? [{ ...page, sections }] : [];
  });
}

const SHORTEST_PART = 200;
