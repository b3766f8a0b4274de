import type { Site } from '../../../sites/kinds/site-kind.ts';
import type { Draft } from './draft.ts';
import type { WrittenNavigation } from './written-navigation.ts';

/** An edit in progress. Steps that refuse leave the draft as it was. */
export interface Editing {
  draft: Draft;
  site: Site;
  /** What is written now, after the steps so far. */
  read(): WrittenNavigation;
  done: string[];
  left: string[];
}

/** Why a step cannot be taken; nothing is edited. */
export type Refusal = { refused: string } | undefined;
