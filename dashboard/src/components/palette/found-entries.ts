import { useNavigate, type UseNavigateResult } from '@tanstack/react-router';
import type { FindResults } from '../../../../api/dashboard/contract/find.ts';
import type { Organization, ProjectRef } from '../../data/place.ts';
import { OUTCOME_LOOKS } from '../jobs/outcome-badge.tsx';
import type { Entry } from './entries.ts';

type Navigate = UseNavigateResult<string>;

/** What the server found. */
export function useFoundEntries(
  { slug: organization, projects: [first] }: Organization,
  project: ProjectRef | undefined,
  found: FindResults | undefined,
): Entry[] {
  const navigate = useNavigate();
  if (!found) return [];
  const domain = project?.domain ?? first?.domain;
  return [
    ...found.jobs.map(job => ofJob(navigate, organization, job)),
    ...found.jobs
      .filter(({ prLink }) => prLink !== null)
      .map(job => ofPullRequest(navigate, organization, job)),
    ...found.questions.map(question => ofQuestion(navigate, organization, question)),
    ...found.pages.map(page => ofPage(navigate, organization, page)),
    ...found.keys.flatMap(key => {
      // An admin key is listed in every project.
      const of = key.domain ?? domain;
      return of === undefined ? [] : [ofKey(navigate, { organization, domain: of }, key)];
    }),
  ];
}

type FoundJob = FindResults['jobs'][number];

function ofJob(navigate: Navigate, organization: string, job: FoundJob): Entry {
  const { id, domain, title, outcome } = job;
  return {
    id,
    icon: 'jobs',
    title,
    kind: `Job, ${OUTCOME_LOOKS[outcome].word}`,
    open: () =>
      void navigate({
        to: '/$organization/$domain/jobs/$jobId',
        params: { organization, domain, jobId: id },
      }),
  };
}

function ofPullRequest(navigate: Navigate, organization: string, job: FoundJob): Entry {
  const { id, domain, title, prNumber, prLink } = job;
  return {
    id: `pull ${id}`,
    icon: 'pulls',
    title,
    kind: prNumber === null ? 'Pull request' : `Pull request #${prNumber}`,
    open: () => {
      if (prNumber === null) window.open(prLink ?? '', '_blank', 'noopener');
      else
        void navigate({
          to: '/$organization/$domain/pulls/$number',
          params: { organization, domain, number: String(prNumber) },
        });
    },
  };
}

function ofQuestion(
  navigate: Navigate,
  organization: string,
  { id, domain, question }: FindResults['questions'][number],
): Entry {
  return {
    id,
    icon: 'questions',
    title: question,
    kind: 'Question',
    open: () =>
      void navigate({
        to: '/$organization/$domain/questions',
        params: { organization, domain },
        search: { show: 'all', search: question },
      }),
  };
}

function ofPage(
  navigate: Navigate,
  organization: string,
  { path, domain, title }: FindResults['pages'][number],
): Entry {
  return {
    id: `page ${domain} ${path}`,
    icon: 'book',
    title,
    kind: path,
    open: () =>
      void navigate({
        to: '/$organization/$domain/docs/$',
        params: { organization, domain, _splat: path.replace(/^\//, '') },
      }),
  };
}

function ofKey(
  navigate: Navigate,
  params: { organization: string; domain: string },
  { id, name, start }: FindResults['keys'][number],
): Entry {
  return {
    id,
    icon: 'keys',
    title: name,
    kind: start,
    open: () =>
      void navigate({ to: '/$organization/$domain/keys', params, search: { search: name } }),
  };
}
