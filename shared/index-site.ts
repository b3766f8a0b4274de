/**
 * The contract of indexing: names and shapes that the API, the workflow, the activity and the CLI
 * share.
 */

export const INDEX_WORKFLOW = 'indexSite';
/** Looks at what the site publishes; started by each indexing, which does not wait for it. */
export const LOOK_WORKFLOW = 'lookAtPublishedSite';
/**
 * Signal: something changed, index once more. A running index starts again when it is done.
 */
export const INDEX_SIGNAL = 'changed';

export interface IndexInput {
  projectId: string;
  /** For the history's readers: the site's domain. */
  domain: string;
}

/** What an indexing did. */
export interface IndexReport {
  commit: string;
  pages: number;
  /** Pages that were new or had changed, and were read, parsed and weighed. */
  built: number;
}

export interface IndexActivities {
  /**
   * Brings the index to the newest commit of the project's base; null if the project is gone.
   */
  indexPages(input: IndexInput): Promise<IndexReport | null>;
  /**
   * Asks the project's site what it publishes, if that is due. True: it said something new, which an
   * indexing compares with the files.
   */
  lookAtSite(input: IndexInput): Promise<boolean>;
}

export function lookWorkflowId(projectId: string): string {
  return `published-${projectId}`;
}

/** Requests share this workflow id; the schedule's runs append their time to it. */
export function indexWorkflowId(projectId: string): string {
  return `index-${projectId}`;
}
