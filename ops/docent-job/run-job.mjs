// Runs beside an installed docent-client: see action.yml.
import { appendFileSync } from 'node:fs';
import { env } from 'node:process';
import { Docent, DocentError } from 'docent-client';

const { BASE_URL, ADMIN_KEY, PROJECT_ID, PROMPT, JOB, OPTIONS, TIMEOUT_MINUTES } = env;
try {
  await run();
} catch (error) {
  fail(error instanceof DocentError ? error.message : String(error));
}

async function run() {
  const { jobs } = new Docent({ baseUrl: BASE_URL, apiKey: ADMIN_KEY, projectId: PROJECT_ID });
  const begun = await begin(jobs);
  tell('job', begun.id);
  console.log(`Job ${begun.id}`);
  const timeoutMs = Number(TIMEOUT_MINUTES) * 60_000;
  const job = timeoutMs > 0 ? await jobs.wait(begun.id, { timeoutMs }) : begun;
  const { outcome } = await jobs.messages(job.id);
  tell('status', job.status);
  tell('outcome', outcome?.result);
  tell('waiting-for', job.waitingFor);
  tell('pull-request', job.prLink);
  if (job.waitingFor) console.log(`::notice::${line(`${job.id} waits for ${job.waitingFor}.`)}`);
  else if (['failed', 'cancelled', 'declined'].includes(outcome?.result)) fail(outcome.sentence);
  else console.log(outcome?.sentence ?? job.status, job.prLink ?? '');
}

async function begin(jobs) {
  if (JOB) return PROMPT ? await jobs.message(JOB, { prompt: PROMPT }) : await jobs.get(JOB);
  if (!PROMPT) throw new Error('Set prompt, job, or both.');
  return await jobs.create({ ...JSON.parse(OPTIONS), prompt: PROMPT });
}

function tell(name, value) {
  appendFileSync(env.GITHUB_OUTPUT, `${name}=${value ?? ''}\n`);
}

function fail(sentence) {
  console.log(`::error::${line(sentence)}`);
  process.exitCode = 1;
}

/** On one line, as the runner's commands want it. */
function line(text) {
  return text.replaceAll('%', '%25').replace(/\s+/g, ' ');
}
