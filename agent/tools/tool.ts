import type { Static, TSchema } from '@sinclair/typebox';
import type { Todo } from '../../shared/jobs/job.ts';
import type { Plan } from '../../shared/jobs/waiting-schemas.ts';
import type { HistoryAnswer, HistoryQuestion } from '../../hosts/git/history-questions.ts';
import type { ContextRepository } from '../../shared/context-repositories.ts';
import type { OpenedContext } from '../context-repositories.ts';
import type { SearchRequest, SearchResult } from '../../db/search/search-request.ts';
import type { Workspace } from '../../shared/workspace.ts';
import type { Finding } from '../checks/finding.ts';
import type { PolicyProject } from '../policy/policy-project.ts';
import type { Violation } from '../policy/violation.ts';
import type { SiteAnswers, SiteQuestion } from '../site/site-questions.ts';

/** What a tool may touch: the job's workspace and nothing else of this machine. */
export interface ToolContext {
  workspace: Workspace;
  project: PolicyProject & { id: string; /** As its host names it. */ repository: string };
  todos: Todo[];
  search(request: Omit<SearchRequest, 'projectId'>): Promise<SearchResult[]>;
  /** Asks the site's own rules, in a thread: what its generator makes of the workspace's files. */
  askSite<Q extends SiteQuestion>(question: Q): Promise<SiteAnswers[Q['kind']]>;
  /**
   * Asks the history that ends in the commit that the workspace is based on. Throws `HistoryError`
   * and `RepositoryError`.
   */
  history(question: HistoryQuestion): Promise<HistoryAnswer>;
  /** Repositories beside the docs, to read. */
  repositories: readonly ContextRepository[];
  /** A sentence for the model if it cannot be read. */
  openRepository(repository: ContextRepository): Promise<OpenedContext | string>;
  /** Whether this job has viewed or written the file. */
  hasRead(path: string): Promise<boolean>;
  /** The bytes of an image that a person attached to an instruction of this job. */
  readUpload(id: string): Promise<Buffer | undefined>;
  /** Web pages that may be read: hosts, or addresses that theirs begin with. */
  webPages: readonly string[];
  /** Reads these only. */
  fetchWeb: typeof fetch;
  /** The validators' findings that this job caused: all changed files, or the named paths only. */
  check(paths?: string[]): Promise<Finding[]>;
  /**
   * How often `finish` may still send findings back to be repaired; at 0 it accepts them, and the
   * pull request names them.
   */
  repairRoundsLeft: number;
  /** Nothing was sent back in this turn yet. */
  isFirstRepair: boolean;
  /** Takes what the policy refuses before it is written. */
  refused(violation: Violation): void;
  /** The model's endpoint reads image blocks. */
  canSeeImages: boolean;
  /** The longest result that the model's window has room for. */
  maxCharacters: number;
  signal: AbortSignal;
}

/** An image that the model sees. */
export interface ToolImage {
  mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  /** Base64. */
  data: string;
}

/** What the policy refused, without its words. */
export type Refusal = Pick<Violation, 'path' | 'rule' | 'construct'>;

/**
 * What goes back to the model and into the history. A tool's failure is a result, never an
 * exception.
 */
export interface ToolResult {
  content: string;
  /** Shown after the content. */
  image?: ToolImage;
  isError?: boolean;
  /**
   * One line for people: the object of the verb, such as `docs/install.md (+4 -1)`. No secret, at
   * most 200 characters.
   */
  summary: string;
  todos?: Todo[];
  /** The call failed because the policy refused what it would change: where, and by which rules. */
  refused?: Refusal[];
  /** Set by `finish` once it is accepted: the turn ends. */
  finish?: { title: string; body: string; message: string };
  /** Set by `ask`: the turn ends with this question, and nothing is published. */
  ask?: { question: string; options?: string[] };
  /** Set by `propose_plan`: the turn ends with this plan. */
  plan?: Plan;
}

export interface Tool<S extends TSchema = TSchema> {
  /**
   * The name in the Messages API; also the Temporal activity type, but for the text editor, where
   * the command is.
   */
  name: string;
  description: string;
  input: S;
  /** Changes nothing: calls of one step may run side by side. */
  readOnly: boolean;
  /** The object of the call, for the activity's summary, from input that may be malformed. */
  summarize(input: unknown): string;
  execute(input: Static<S>, context: ToolContext): Promise<ToolResult>;
}

/** Keeps the schema's type on the way into the registry. */
export function defineTool<S extends TSchema>(tool: Tool<S>): Tool<S> {
  return tool;
}
