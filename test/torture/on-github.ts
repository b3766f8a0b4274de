import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { claimInstallation } from '../../db/github/installations.ts';
import type { Pool } from '../../db/pool.ts';
import type { Project } from '../../db/projects/projects.ts';
import { type GitHubStandIn, startGitHub } from '../hosts/github/stand-in.ts';
import type { Repository } from '../hosts/github/state.ts';
import type { Dice } from '../jobs/random/dice.ts';

const SECRET = 'webhook-secret-of-the-torture';
const FAULTS = {
  'lost answer of create': 3,
  'lost answer of update': 3,
  'cut page': 3,
  'secondary limit': 2,
  rename: 1,
  'installation removed': 1,
};

/** A project on the GitHub stand-in, by an App; what GitHub does to it, and what people say there. */
export class OnGitHub {
  readonly #github: GitHubStandIn;
  readonly #repository: Repository;
  readonly #pool: Pool;
  #comments = 0;

  private constructor(github: GitHubStandIn, repository: Repository, pool: Pool) {
    this.#github = github;
    this.#repository = repository;
    this.#pool = pool;
  }

  /** Moves the project there. */
  static async put(pool: Pool, project: Project, files: Record<string, string>) {
    const github = await startGitHub();
    const repository = github.addRepository('acme/docs', files);
    repository.roles = { ada: 'write' };
    const id = github.install([repository]);
    await claimInstallation(pool, {
      ...{ id, organizationId: project.organizationId, account: 'acme' },
    });
    await pool.query(
      `update projects set host = 'github', repository = 'acme/docs', repository_url = $2
        where id = $1`,
      [project.id, `${github.webUrl}/acme/docs`],
    );
    return new OnGitHub(github, repository, pool);
  }

  get settings(): Record<string, string> {
    return {
      GITHUB_API_URL: this.#github.apiUrl,
      GITHUB_APP_ID: this.#github.appId,
      GITHUB_APP_PRIVATE_KEY: this.#github.privateKey,
      GITHUB_WEBHOOK_SECRET: SECRET,
    };
  }

  get folder(): string {
    return this.#repository.folder;
  }

  /** Of the pull requests from a branch. */
  pulls(head: string): string[] {
    return this.#repository.pulls.filter(pull => pull.head === head).map(({ state }) => state);
  }

  /** Does one of the things that GitHub does; says which. */
  async fault(dice: Dice): Promise<string> {
    const what = dice.pick(FAULTS);
    const fail = this.#github.fail;
    if (what === 'lost answer of create')
      fail({ method: 'POST', path: /\/pulls$/, status: 0, after: true });
    else if (what === 'lost answer of update')
      fail({ method: 'PATCH', path: /\/pulls\/\d+$/, status: 0, after: true });
    else if (what === 'cut page')
      fail({ method: 'GET', path: /\/(?:pulls|branches|compare)/, status: 200, cut: true });
    else if (what === 'secondary limit')
      fail({
        ...{ path: /\/repos\//, status: 403, times: 1 + dice.below(6) },
        message: 'You have exceeded a secondary rate limit.',
        headers: { 'retry-after': '2' },
      });
    else if (what === 'rename') this.#rename();
    else await this.#removeInstallation(1_000 + dice.below(6_000));
    return what;
  }

  #rename(): void {
    const { owner, name, formerly } = this.#repository;
    formerly.push(`${owner}/${name}`);
    this.#repository.name = `docs-${formerly.length}`;
  }

  /** Its tokens end with it. */
  async #removeInstallation(ms: number): Promise<void> {
    const { state } = this.#github;
    const removed = state.installations.splice(0);
    for (const token of state.tokens) token.revoked = true;
    await delay(ms);
    state.installations.push(...removed);
  }

  /**
   * A comment that asks for something, delivered twice and late, in no order. Null: the job has no
   * pull request yet; true if a delivery was accepted.
   */
  async comment(urls: readonly string[], jobId: string, text: string): Promise<boolean | null> {
    const { rows } = await this.#pool.query<{ number: number | null }>(
      'select pr_number as number from jobs where id = $1',
      [jobId],
    );
    const number = rows[0]?.number ?? null;
    if (number === null) return null;
    const body = this.#said(number, text);
    const again = delay(200 * (this.#comments % 20)).then(() => this.#deliver(urls, body));
    const results = await Promise.all([again, this.#deliver(urls, body)]);
    return results.includes(true);
  }

  #said(number: number, text: string): string {
    const user = { login: 'ada', type: 'User' };
    const { id, owner, name } = this.#repository;
    return JSON.stringify({
      action: 'created',
      repository: { id, full_name: `${owner}/${name}` },
      sender: user,
      issue: { number, pull_request: {} },
      comment: {
        ...{ id: ++this.#comments, body: `@docent ${text}`, user },
        created_at: new Date().toISOString(),
      },
    });
  }

  /** As GitHub does, and by hand again, until an API takes it. */
  async #deliver(urls: readonly string[], body: string): Promise<boolean> {
    for (let attempt = 0; attempt < 20; attempt++) {
      const url = urls[attempt % urls.length]!;
      try {
        const response = await fetch(`${url}/github/webhook`, {
          ...{ method: 'POST', body, signal: AbortSignal.timeout(15_000) },
          headers: {
            'content-type': 'application/json',
            'x-github-event': 'issue_comment',
            'x-github-delivery': randomUUID(),
            'x-hub-signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
          },
        });
        const { result } = (await response.json()) as { result?: string };
        if (response.status === 202) return true; // kept, to be tried again
        if (response.ok) return result === 'taken' || result === 'taken before';
      } catch {
        // No answer, or half of one.
      }
      await delay(1_500);
    }
    return false;
  }

  stop(): Promise<void> {
    return this.#github.stop();
  }
}
