import { readConfig } from '../../shared/config.ts';
import { updateProject } from '../../shared/db/projects/projects.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';

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

  it('is one of five words', async () => {
    const path = `/v2/agent/${stack.project.id}/job`;
    const { status } = await stack.call('POST', path, { prompt: 'Ask', effort: 'huge' });
    expect(status).toBe(400);
    expect(() => readConfig({ MODEL_EFFORTS: '{"thinker": "huge"}' })).toThrow('MODEL_EFFORTS');
  });
});
