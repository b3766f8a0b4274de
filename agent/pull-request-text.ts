import type { JobProject } from '../db/jobs/job-project.ts';
import { type NewPublication, sectionsOf } from '../db/jobs/publications.ts';
import type { TranscriptEntry } from '../db/jobs/transcript.ts';
import { redact } from '../shared/secrets/redact.ts';
import type { Finding } from './checks/finding.ts';
import type { ActivityDeps } from './deps.ts';
import { neutralise, neutralisePlain } from './neutralise.ts';
import type { ReviewPoint } from './review/points.ts';
import { leftOut, publicationText } from './turn-text.ts';
import { jobLink } from '../shared/links.ts';

export interface PullRequestText {
  title: string;
  body: string;
}

/** Begins the text of a turn that ended without `finish`, so that its title is not the model's. */
export const UNFINISHED =
  '**Draft:** the agent stopped without saying that it had finished. Look for what is missing.';
/** Of a pull request's text without its footer: GitHub takes 65,536 characters in all. */
const MAX_BODY = 64_000;
const MAX_TITLE = 120;
/** Of what a section lists. */
const MAX_LINES = 30;

/** Title and body of one turn, without secrets and mentions. The title is the commit's as well. */
export function firstText(
  transcript: TranscriptEntry[],
  turn: number,
  findings: Finding[],
  points: ReviewPoint[],
): PullRequestText {
  const { title, body } = publicationText(transcript, turn);
  const [firstLine] = redact(neutralisePlain(title)).split('\n');
  return {
    title: firstLine?.slice(0, MAX_TITLE).trim() || 'Update the docs',
    body:
      redact(neutralise(body)) +
      section('Left out by the policy', leftOut(transcript, turn).map(neutralise)) +
      section('Problems that remain', findings.map(findingLine)) +
      section('Look at these before you merge', points.map(pointLine)),
  };
}

/**
 * The title that the model gave first; one section per publication, the first without a heading if
 * the title is its own. A closing with which the model ends every turn appears once.
 */
export async function pullRequestText(
  deps: ActivityDeps,
  project: JobProject,
  publication: NewPublication,
): Promise<PullRequestText> {
  const sections = await sectionsOf(deps.pool, publication);
  const named = sections.find(({ body }) => !body.startsWith(UNFINISHED)) ?? sections[0];
  const text = sections
    .map(({ title, body }, i) => {
      const closing = closingOf(body);
      const isRepeated =
        closing !== undefined &&
        sections.slice(0, i).some(before => closingOf(before.body) === closing);
      const own = isRepeated ? body.trim().slice(0, -closing.length).trim() : body;
      return i === 0 && sections[0] === named ? own : `### ${title}\n\n${own}`;
    })
    .join('\n\n');
  return {
    title: named?.title ?? publication.title,
    body: `${cutBody(text)}\n\n---\n${footer(deps, project)}\n`,
  };
}

/** A cut may leave code open, and an unpaired surrogate. */
function cutBody(text: string): string {
  if (text.length <= MAX_BODY) return text;
  const start = text.slice(0, MAX_BODY).replace(/[\uD800-\uDBFF]$/, '');
  return `${neutralise(start).trimEnd()}\n\n(cut: the text was too long)`;
}

/** A last paragraph of one line, such as a signature, after others. */
function closingOf(body: string): string | undefined {
  return /(?<=\n\n)\p{L}.*$/u.exec(body.trim())?.[0];
}

function footer({ publicUrl }: ActivityDeps, project: JobProject): string {
  return `Opened by Docent for [${project.jobId}](${jobLink(publicUrl, project)}).`;
}

function section(heading: string, all: readonly string[]): string {
  if (all.length === 0) return '';
  const lines = all.slice(0, MAX_LINES).map(line => `- ${redact(line)}`);
  if (all.length > MAX_LINES) lines.push(`- and ${all.length - MAX_LINES} more`);
  return `\n\n**${heading}**\n\n${lines.join('\n')}`;
}

function findingLine({ path, line, severity, message }: Finding): string {
  return `\`${line === null ? path : `${path}:${line}`}\` ${severity}: ${neutralise(message)}`;
}

/** Allowed, and worth a look before the merge. */
function pointLine({ path, line, says }: ReviewPoint): string {
  return `\`${line === null ? path : `${path}:${line}`}\`: ${neutralise(says)}`;
}
