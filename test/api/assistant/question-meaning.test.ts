import { listQuestions, type Question } from '../../../db/assistant/questions.ts';
import type { Embed } from '../../../search/embed.ts';
import { until } from '../../support/until.ts';
import { SITE, startAssistant, type TestAssistant } from './harness.ts';

/** Stands for the model: a dimension for each meaning, whatever the words. */
const MEANINGS = [/remov|delete|erase/i, /account|profile/i, /invoice|billing/i];
let isBroken = false;
const embed: Embed = async texts => {
  if (isBroken) throw new Error('the model is gone');
  return texts.map(text => {
    const vector = Float32Array.from(MEANINGS, meaning => (meaning.test(text) ? 1 : 0.01));
    const length = Math.hypot(...vector);
    return vector.map(value => value / length);
  });
};

let assistant: TestAssistant;
beforeAll(async () => {
  assistant = await startAssistant(
    () => ({ text: 'No page says so.' }),
    {},
    SITE,
    undefined,
    embed,
  );
});
afterAll(() => assistant?.close());

const sum = (questions: Question[]) => questions.reduce((all, one) => all + one.asked, 0);

it('counts questions that mean the same as one, and by words where the model fails', async () => {
  const { ask, pool, project } = assistant;
  // An answer is whole before its question is recorded.
  const asked = async (times: number) => {
    const list = () => listQuestions(pool, project.id, { limit: 20 });
    await until('all are recorded', async () => sum(await list()) === times);
    return (await list()).map(one => [one.asked, ...one.wordings]);
  };
  await ask('How do I delete my account?');
  await ask('Please erase every trace of this profile');
  await ask('Where is the invoice of my account?');
  expect(await asked(3)).toEqual([
    [2, 'Please erase every trace of this profile', 'How do I delete my account?'],
    [1, 'Where is the invoice of my account?'],
  ]);
  isBroken = true;
  await ask('Removing profiles');
  await ask('Delete my account');
  expect(await asked(5)).toEqual([
    [3, 'Delete my account', expect.anything(), expect.anything()],
    [1, 'Removing profiles'],
    [1, 'Where is the invoice of my account?'],
  ]);
});
