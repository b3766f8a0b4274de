import { sweepJobs } from '../../jobs/sweep/job-sweeper.ts';
import { queryJob } from '../../jobs/workflow-client.ts';
import { insertInstruction } from '../../db/jobs/instructions.ts';
import { markActive } from '../../db/jobs/jobs.ts';
import { transaction } from '../../db/pool.ts';
import { updateProject } from '../../db/projects/projects.ts';
import { newId } from '../../shared/ids.ts';
import { createLogger } from '../../shared/logger.ts';
import { type JobBody, type JobStack, startJobStack } from '../support/job-stack.ts';
import { type OwnServices, startOwnServices } from '../support/own-services.ts';
import { edit, finish } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { until } from '../support/until.ts';

export const GUIDE = '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n\nThe second line.\n';

/** What the model answers to an instruction, until it has finished. */
const EDITS: Record<string, [from: string, to: string]> = {
  'Shout the first': ['first', 'FIRST'],
  'Shout the second': ['second', 'SECOND'],
  'Name the guide': ['# Guide', '# The guide'],
};

/** A stack on services whose files a test puts back. */
export class RestoredStage {
  readonly services: OwnServices;
  readonly stack: JobStack;
  readonly #model: Model;

  private constructor(services: OwnServices, stack: JobStack, model: Model) {
    this.services = services;
    this.stack = stack;
    this.#model = model;
  }

  static async open(): Promise<RestoredStage> {
    const services = await startOwnServices();
    const model = new Model();
    const stack = await startJobStack({
      files: { 'docs/guide.md': GUIDE },
      script: request => model.answer(request),
      temporalAddress: services.temporalAddress,
      database: services.database,
      noWorker: true,
    });
    // What nobody has a row of is known by its author, too.
    const commitAuthor = { name: 'Docs Bot', email: 'docs-bot@example.com', signOff: true };
    await updateProject(stack.pool, stack.project.id, { settings: { commitAuthor } });
    return new RestoredStage(services, stack, model);
  }

  async close(): Promise<void> {
    await this.stack.close();
    await this.services.close();
  }

  /** The model answers no more until the function that this returns is called. */
  holdModel(): () => void {
    return this.#model.hold();
  }

  /** How often a job has called the model. */
  async calls(jobId: string): Promise<number> {
    const { rowCount } = await this.stack.pool.query(
      'select 1 from model_calls where job_id = $1',
      [jobId],
    );
    return rowCount ?? 0;
  }

  async modelIsAsked(jobId: string): Promise<void> {
    await until('the model is asked', async () => (await this.calls(jobId)) === 1);
  }

  page(job: JobBody): string {
    return this.stack.git('show', `${job.source.ref}:docs/guide.md`);
  }

  path(job: Pick<JobBody, 'id'>, rest: string): string {
    return `/v2/agent/${this.stack.project.id}/job/${job.id}/${rest}`;
  }

  /** A job that has carried out its instructions, each once the one before is done. */
  async done(...prompts: [string, ...string[]]): Promise<JobBody> {
    const [first, ...others] = prompts;
    const { id } = await this.stack.create(first);
    let job = await this.stack.rest(id);
    for (const prompt of others) job = await this.followUp(job, prompt);
    return job;
  }

  async followUp({ id }: Pick<JobBody, 'id'>, prompt: string): Promise<JobBody> {
    await this.stack.message(id, prompt);
    return this.stack.rest(id);
  }

  /** Sends a follow-up and returns once the workflow has read it. */
  async sendAndRead({ id }: Pick<JobBody, 'id'>, prompt: string): Promise<void> {
    await this.stack.message(id, prompt);
    await until('the follow-up is read', () => this.allRead({ id }));
  }

  /**
   * A job whose turn ended while a follow-up was stored and not signalled yet: its row is active,
   * and its workflow waits for the signal.
   */
  async doneWithUnsignalled(prompt: string, followUp: string): Promise<JobBody> {
    const release = this.holdModel();
    const job = await this.stack.create(prompt);
    await this.modelIsAsked(job.id);
    await transaction(this.stack.pool, async tx => {
      await insertInstruction(tx, { jobId: job.id, messageId: newId('msg'), prompt: followUp });
      await markActive(tx, job.id);
    });
    release();
    await until('the turn has ended', async () => {
      const view = await queryJob(this.stack.temporal, job.id);
      return view?.isWaiting === true && view.status === 'active' && view.queue === 0;
    });
    return job;
  }

  async allRead(job: Pick<JobBody, 'id'>): Promise<boolean> {
    return (await this.instructions(job)).every(([, state]) => state === 'taken');
  }

  async pulls(job: JobBody): Promise<{ state: string }[]> {
    const { rows } = await this.stack.pool.query<{ state: string }>(
      'select state from local_pull_requests where head = $1',
      [job.source.ref],
    );
    return rows;
  }

  async instructions({ id }: Pick<JobBody, 'id'>): Promise<[prompt: string, state: string][]> {
    const { rows } = await this.stack.pool.query<{ prompt: string; state: string }>(
      'select prompt, state from instructions where job_id = $1 order by seq',
      [id],
    );
    return rows.map(({ prompt, state }) => [prompt, state]);
  }

  /** As when no active job has moved, and nobody has sent anything, for two minutes. */
  async sweep(): Promise<void> {
    await this.stack.pool.query(`update instructions set created_at = now() - interval '2 minutes'
                                  where state = 'waiting'`);
    await this.stack.pool.query(`update jobs set updated_at = now() - interval '2 minutes'
                                  where state = 'active' and archived_at is null`);
    await sweepJobs({ ...this.stack, log: createLogger('silent') });
  }

  /** With no worker and nothing in flight, as after a crash of everything. */
  async without(worker: { stop(): Promise<void> }, restore: () => Promise<void>) {
    await worker.stop();
    await restore();
    await until('the API reaches both again', async () => {
      await this.stack.temporal.workflowService.getSystemInfo({});
      return (await this.stack.call('GET', '/readyz')).status === 200;
    });
    return this.stack.startWorker();
  }
}

class Model {
  #held: Promise<void> | undefined;

  hold(): () => void {
    let release = () => undefined as void;
    this.#held = new Promise(resolve => {
      release = () => {
        this.#held = undefined;
        resolve();
      };
    });
    return () => release();
  }

  /**
   * Carries out, in order, what the transcript asks for and its tool results do not show yet; then
   * it finishes. Asked for nothing, it says so.
   */
  async answer(request: { messages: unknown[] }): Promise<ScriptedReply> {
    await this.#held;
    const last = (text: string) =>
      request.messages.findLastIndex(message => JSON.stringify(message).includes(text));
    for (const [prompt, [from, to]] of Object.entries(EDITS)) {
      const asked = last(`"${prompt}`);
      if (asked >= 0 && last(`${from} becomes ${to}.`) < asked) return edit(from, to);
    }
    const asked = Math.max(...Object.keys(EDITS).map(prompt => last(`"${prompt}`)));
    return asked > last('finish') ? finish('Shout') : { text: 'Nothing to do.' };
  }
}
