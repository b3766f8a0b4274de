import type { JobDetail } from '../../../api/dashboard/contract/jobs.ts';
import type { Session } from '../../../api/dashboard/contract/people.ts';
import { invite, PASSWORD } from '../../dashboard/api/harness.ts';
import { readConfig } from '../../../shared/config.ts';
import { updateProject } from '../../../db/projects/projects.ts';
import { type JobStack, startJobStack } from '../../support/job-stack.ts';

describe('effort', () => {
  let stack: JobStack;
  beforeAll(async () => {
    stack = await startJobStack({
      files: { 'docs/guide.md': '# Guide\n' },
      env: { MODEL_EFFORT: 'low', MODEL_SONNET: 'thinker' },
      script: () => ({ text: 'Which page?' }),
    });
  });
  afterAll(() => stack.close());
  const asked = async (body: Record<string, unknown> = {}) => {
    await stack.rest((await stack.create('Ask', body)).id);
    return stack.model.requests.at(-1)!.body as unknown as { output_config?: { effort: string } };
  };

  it('is the one of the job, else of the project, the model, the installation', async () => {
    expect(await asked()).toMatchObject({ output_config: { effort: 'low' } });
    Object.assign(stack.config, { MODEL_EFFORTS: '{"thinker": "medium"}' });
    expect(await asked()).toMatchObject({ output_config: { effort: 'medium' } });
    await updateProject(stack.pool, stack.project.id, { settings: { effort: 'high' } });
    expect(await asked()).toMatchObject({ output_config: { effort: 'high' } });
    expect(await asked({ effort: 'max' })).toMatchObject({ output_config: { effort: 'max' } });
  }, 60_000);

  it('is chosen in the dashboard, for a project and for a job, if the model thinks', async () => {
    const { organizationId, id } = stack.project;
    const token = await invite(stack.pool, organizationId, 'owner@acme.test', 'owner');
    const headers: Record<string, string> = {
      ...{ origin: stack.baseUrl, 'content-type': 'application/json' },
    };
    const call = async (method: string, path: string, body?: object) => {
      const answer = await fetch(`${stack.baseUrl}/api/dashboard${path}`, {
        ...{ method, headers },
        ...(body && { body: JSON.stringify(body) }),
      });
      headers['cookie'] ??= answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
      return { status: answer.status, body: (await answer.json()) as JobDetail & Session };
    };
    const person = { token, name: 'Owner', password: PASSWORD };
    const session = await call('POST', '/invitation/accept', person);
    expect(session.body.effortModels).toEqual(['sonnet', 'opus']);
    await call('PATCH', `/projects/${id}`, { effort: 'xhigh' });
    const started = async (body: object) => {
      const job = await call('POST', `/projects/${id}/jobs`, { prompt: 'Ask', ...body });
      await stack.rest(job.body.id);
      const { body: detail } = await call('GET', `/projects/${id}/jobs/${job.body.id}`);
      const sent = stack.model.requests.at(-1)!.body as { output_config?: { effort: string } };
      return [detail.effort, sent.output_config?.effort];
    };
    expect(await started({})).toEqual(['xhigh', 'xhigh']);
    expect(await started({ effort: 'max' })).toEqual(['max', 'max']);
    const refused = await call('POST', `/projects/${id}/jobs`, { prompt: 'Ask', effort: 'huge' });
    expect(refused.status).toBe(400);
  }, 60_000);

  it('is one of five words', async () => {
    const path = `/v2/agent/${stack.project.id}/job`;
    const { status } = await stack.call('POST', path, { prompt: 'Ask', effort: 'huge' });
    expect(status).toBe(400);
    expect(() => readConfig({ MODEL_EFFORTS: '{"thinker": "huge"}' })).toThrow('MODEL_EFFORTS');
  });
});
