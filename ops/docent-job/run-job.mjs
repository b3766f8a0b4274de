// Runs beside an installed docent-client: see action.yml.
import { appendFileSync } from 'node:fs';
import { env } from 'node:process';
import { Docent, DocentError } from 'docent-client';

const { BASE_URL, ADMIN_KEY, PROJECT_ID, PROMPT, JOB, OPTIONS, TIMEOUT_MINUTES } = env;
const MAX_MINUTES = 35_000;
try {
  await run();
} catch (error) {
  fail(error instanceof DocentError ? error.message : String(error));
}

async function run() {
  const timeoutMs = Math.round(minutes() * 60_000);
  const { jobs } = new Docent({ baseUrl: BASE_URL, apiKey: ADMIN_KEY, projectId: PROJECT_ID });
  const begun = await begin(jobs);
  tell('job', begun.id);
  // Replaced below, unless the wait ends before the job.
  tell('status', begun.status);
  console.log(`Job ${line(begun.id)}`);
  const job = timeoutMs > 0 ? await jobs.wait(begun.id, { timeoutMs }) : begun;
  const { outcome } = await jobs.messages(job.id);
  tell('status', job.status);
  tell('outcome', outcome?.result);
  tell('waiting-for', job.waitingFor);
  tell('pull-request', job.prLink);
  if (job.waitingFor) console.log(`::notice::${data(`${job.id} waits for ${job.waitingFor}.`)}`);
  else if (['failed', 'cancelled', 'declined'].includes(outcome?.result)) fail(outcome.sentence);
  else console.log(`Docent: ${line(`${outcome?.sentence ?? job.status} ${job.prLink ?? ''}`)}`);
}

function minutes() {
  const given = TIMEOUT_MINUTES?.trim() ? Number(TIMEOUT_MINUTES) : 60;
  if (given >= 0 && given <= MAX_MINUTES) return given;
  throw new Error(`timeout-minutes must be a number from 0 to ${MAX_MINUTES}.`);
}

async function begin(jobs) {
  if (JOB) return PROMPT ? await jobs.message(JOB, { prompt: PROMPT }) : await jobs.get(JOB);
  if (!PROMPT) throw new Error('Set prompt, job, or both.');
  return await jobs.create({ ...JSON.parse(OPTIONS || '{}'), prompt: PROMPT });
}

function tell(name, value) {
  appendFileSync(env.GITHUB_OUTPUT, `${name}=${line(String(value ?? ''))}\n`);
}

function fail(sentence) {
  console.log(`::error::${data(sentence)}`);
  process.exitCode = 1;
}

/**
 * For a line that begins with words of ours. The model's words must not be a command to the runner,
 * which obeys `::` at the start of a line and `##[` anywhere in one.
 */
function line(text) {
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll('##[', '## [')
    .trim();
}

/** The text of a command. */
function data(text) {
  return line(text).replaceAll('%', '%25');
}
