import type { TObject } from '@sinclair/typebox';
import type { Config } from '../shared/config.ts';
import type { HostDeps } from './host-deps.ts';
import type { ReviewComment } from './review-comments.ts';

/** A repository as deliveries name it: a renamed or transferred one keeps its id. */
export interface DeliveredRepository {
  id: number;
  full_name: string;
}

export interface DeliveredUser {
  login: string;
  /** "User" for people. */
  type: string;
}

/** What a person said on a pull request. */
export interface Said {
  kind: 'said';
  /** Unique within the host: which way of commenting, and a number. */
  id: string;
  repository: DeliveredRepository;
  pullRequest: number;
  user: DeliveredUser;
  /** Who caused the event: an edit by a bot is not what the user said. */
  sender: DeliveredUser;
  text: string;
  /** When it was said, by the host's clock: part of what is signed. */
  at: string;
  path: string | null;
  line: number | null;
}

/** Where a commit or branch can be seen as a site. */
export interface Preview {
  kind: 'preview';
  repository: DeliveredRepository;
  commit: string;
  branches: string[];
  /** Absolute, http or https. */
  url: string;
  from: 'deployment' | 'status';
  at: string;
}

export interface PullRequestNews {
  state: 'open' | 'merged' | 'closed';
  at: string;
}

/** What a delivery asks for, as it is kept until it is done: plain data. */
export type News =
  | { kind: 'pushed'; repository: DeliveredRepository; branch: string }
  | ({
      kind: 'pull_request';
      repository: DeliveredRepository;
      number: number;
      labels?: string[];
    } & PullRequestNews)
  | Preview
  | Said;

/** How a host tells us what happens on it. */
export interface HostWebhook {
  path: string;
  /** What signs deliveries; without it they are not accepted. */
  secret(config: Config): string | undefined;
  /** The mention that makes a comment an instruction. */
  mention(config: Config): string;
  headers: TObject;
  /**
   * The delivery in a request, its signature checked; `news` undefined: nothing that concerns us.
   * Throws `Problem`.
   */
  read(secret: string, headers: unknown, body: Buffer): Delivery;
  /** What to ask the host about deliveries; undefined if there are no credentials. */
  open(deps: HostDeps): WebhookQuestions | undefined;
}

export interface Delivery {
  /** What the host calls it, for the log: it is not signed. */
  name: string;
  /** What it is known by: a hash of what is signed. */
  id: string;
  event: string;
  news: News | undefined;
}

/** Each throws `RepositoryError`. */
export interface WebhookQuestions {
  /** The id that deliveries name, which outlives the repository's name. */
  repositoryId(repository: string): Promise<number>;
  mayWrite(repository: string, login: string): Promise<boolean>;
  /** Its state and when it last changed, ISO 8601. */
  pullRequest(repository: string, number: number): Promise<PullRequestNews>;
  /** By people who may write, oldest first. */
  reviewComments(repository: string, pullRequest: number): Promise<ReviewComment[]>;
}
