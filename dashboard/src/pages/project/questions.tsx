import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Button, buttonClass } from '../../components/controls/button.tsx';
import { SearchBox } from '../../components/controls/search-box.tsx';
import { Empty, Loaded, More } from '../../components/feedback/loaded.tsx';
import { FeedbackList } from '../../components/questions/feedback-list.tsx';
import { QuestionReport } from '../../components/questions/question-report.tsx';
import { QuestionRow } from '../../components/questions/question-row.tsx';
import { useProject } from '../../data/place.ts';
import { questionsQuery } from '../../data/queries.ts';
import { Page } from '../../layout/page.tsx';

const route = getRouteApi('/app/$organization/$domain/questions');
const SHOWN = [
  [undefined, 'Unanswered'],
  ['answered', 'Answered'],
  ['closed', 'Closed'],
  ['all', 'All'],
  ['report', 'Report'],
  ['feedback', 'Feedback on pages'],
] as const;
const FILTERS = { answered: { answered: true }, closed: { closed: true }, all: {} };
const UNANSWERED = { answered: false, closed: false };

export function QuestionsPage() {
  const { show } = route.useSearch();
  return (
    <Page
      title="Questions"
      lead="Readers’ questions to the assistant, grouped by subject, and their feedback on pages. If the docs have no answer, a job can add it."
    >
      <Views />
      {show === 'feedback' ? (
        <FeedbackList />
      ) : show === 'report' ? (
        <QuestionReport />
      ) : (
        <Questions show={show} />
      )}
    </Page>
  );
}

function Questions({ show }: { show: keyof typeof FILTERS | undefined }) {
  const { project } = useProject();
  const { search } = route.useSearch();
  const navigate = route.useNavigate();
  const questions = useInfiniteQuery(
    questionsQuery(project.id, { ...(show ? FILTERS[show] : UNANSWERED), search }),
  );
  return (
    <>
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
            if (list.length === 0) return search ? <NoMatch /> : <NoQuestions />;
            return (
              <ul className="list">
                {list.map(question => (
                  <QuestionRow key={question.id} question={question} />
                ))}
              </ul>
            );
          }}
        </Loaded>
      </section>
      <More query={questions}>Show more questions</More>
    </>
  );
}

function Views() {
  const { params } = useProject();
  const { search } = route.useSearch();
  return (
    <nav className="tabs" aria-label="Filter by answer">
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
  );
}

function NoMatch() {
  const { show } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Empty
      icon="questions"
      title="No questions match"
      action={
        <Button
          onClick={() => {
            void navigate({ search: { show } });
          }}
        >
          Show all questions
        </Button>
      }
    />
  );
}

function NoQuestions() {
  const { params } = useProject();
  const { show } = route.useSearch();
  return (
    <Empty
      icon="questions"
      title={show === undefined ? 'No unanswered questions' : 'No questions yet'}
      action={
        <Link to="/$organization/$domain/playground" params={params} className={buttonClass()}>
          Try the playground
        </Link>
      }
    >
      {show === undefined
        ? 'Questions that the docs could not answer are listed here.'
        : 'Add the assistant to your site with a snippet from the API keys page.'}
    </Empty>
  );
}
