import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { Question } from '../../../../shared/dashboard/jobs.ts';
import { Badge } from '../../components/feedback/badge.tsx';
import { Button, buttonClass } from '../../components/controls/button.tsx';
import { RelativeTime } from '../../components/text/format.tsx';
import { Markdown } from '../../components/text/markdown.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { Page } from '../../layout/page.tsx';
import { SearchBox } from '../../components/controls/search-box.tsx';
import { SourceLink } from '../../components/assistant/source-link.tsx';
import { Empty, Loaded, More } from '../../components/feedback/loaded.tsx';
import { may, useProject, useSession } from '../../data/place.ts';
import { questionsQuery, useSend } from '../../data/queries.ts';

const route = getRouteApi('/app/$organization/$domain/questions');
const SHOWN = [
  [undefined, 'Unanswered'],
  ['answered', 'Answered'],
  ['all', 'All'],
] as const;
const ANSWERED = { answered: true, all: undefined } as const;

export function QuestionsPage() {
  const { project, params } = useProject();
  const { show, search } = route.useSearch();
  const navigate = route.useNavigate();
  const questions = useInfiniteQuery(
    questionsQuery(project.id, { answered: show ? ANSWERED[show] : false, search }),
  );
  return (
    <Page
      title="Questions"
      lead="What readers asked the assistant. Where the docs hold no answer, a job can add it."
    >
      <nav className="tabs" aria-label="Which questions">
        {SHOWN.map(([value, name]) => (
          <Link
            key={name}
            to="/$organization/$domain/questions"
            params={params}
            search={{ search, show: value }}
            className="tab"
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {name}
          </Link>
        ))}
      </nav>
      <div className="filters">
        <SearchBox
          label="Search questions"
          placeholder="Search questions"
          value={search}
          onChange={text => {
            void navigate({ search: old => ({ ...old, search: text }), replace: true });
          }}
        />
      </div>
      <section className="card" aria-label="Questions">
        <Loaded query={questions}>
          {({ pages }) => {
            const list = pages.flatMap(page => page.questions);
            if (list.length > 0)
              return (
                <ul className="list">
                  {list.map(question => (
                    <QuestionRow key={question.id} question={question} />
                  ))}
                </ul>
              );
            if (search)
              return (
                <Empty
                  icon="questions"
                  title="No question matches"
                  action={
                    <Button
                      onClick={() => {
                        void navigate({ search: { show } });
                      }}
                    >
                      Show all of them
                    </Button>
                  }
                />
              );
            return (
              <Empty
                icon="questions"
                title={show === undefined ? 'Nothing is unanswered' : 'Nobody has asked yet'}
                action={
                  <Link
                    to="/$organization/$domain/playground"
                    params={params}
                    className={buttonClass()}
                  >
                    Try the playground
                  </Link>
                }
              >
                {show === undefined
                  ? 'Questions that the docs could not answer are listed here.'
                  : 'Put the assistant on your site with the snippet on the API keys page.'}
              </Empty>
            );
          }}
        </Loaded>
      </section>
      <More query={questions}>Show older questions</More>
    </Page>
  );
}

function QuestionRow({ question }: { question: Question }) {
  return (
    <li className="card-pad question">
      <div className="row-between">
        <h2>{question.question}</h2>
        <span className="row small faint">
          <Badge tone={question.answered ? 'good' : 'warn'}>
            {question.answered ? 'answered' : 'unanswered'}
          </Badge>
          <RelativeTime at={question.createdAt} />
        </span>
      </div>
      {question.answer && (
        <details>
          <summary className="small soft">What the assistant said</summary>
          <Markdown text={question.answer} />
        </details>
      )}
      {question.sources.length > 0 && (
        <ul className="row sources" aria-label="Sources">
          {question.sources.map(source => (
            <li key={source.url}>
              <SourceLink {...source} />
            </li>
          ))}
        </ul>
      )}
      {!question.answered && <FillGap question={question} />}
    </li>
  );
}

function FillGap({ question }: { question: Question }) {
  const { organization, project, params } = useProject();
  const navigate = useNavigate();
  const { offlineModel } = useSession();
  const start = useSend('POST /projects/:projectId/questions/:id/job');
  if (question.jobId)
    return (
      <Link
        to="/$organization/$domain/jobs/$jobId"
        params={{ ...params, jobId: question.jobId }}
        className="small"
      >
        A job was started for it
      </Link>
    );
  if (!may(organization.role, 'member')) return null;
  const begin = async () => {
    const job = await start.mutateAsync({
      params: { projectId: project.id, id: question.id },
    });
    await navigate({
      to: '/$organization/$domain/jobs/$jobId',
      params: { ...params, jobId: job.id },
    });
  };
  return (
    <div className="stack-tight">
      {start.error && <Notice tone="bad">{start.error.message}</Notice>}
      <div className="row">
        <Button
          small
          busy={start.isPending}
          onClick={() => {
            begin().catch(() => undefined);
          }}
          aria-label={`Start a job that answers this: ${question.question}`}
          title={question.suggestedPrompt}
        >
          Start a job that answers this
        </Button>
        {offlineModel && (
          <span className="small faint">
            The offline model cannot: it makes mechanical edits only.
          </span>
        )}
      </div>
    </div>
  );
}
