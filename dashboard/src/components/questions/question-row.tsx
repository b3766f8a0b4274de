import type { Question } from '../../../../api/dashboard/contract/questions.ts';
import { SourceList } from '../assistant/source-link.tsx';
import { Badge } from '../feedback/badge.tsx';
import { plural, RelativeTime } from '../text/format.tsx';
import { Markdown } from '../text/markdown.tsx';
import { AnswerJob } from './answer-job.tsx';
import { QuestionActions } from './question-actions.tsx';
import { QuestionTrend } from './question-trend.tsx';

/** Questions that are alike: the newest, with its answer and sources, and how often they come. */
export function QuestionRow({ question }: { question: Question }) {
  return (
    <li className="card-pad question">
      <div className="row-between">
        <h2>{question.question}</h2>
        <span className="row small faint">
          {question.asked > 1 && <QuestionTrend question={question} />}
          <Votes {...question.votes} />
          <StateBadge question={question} />
          <RelativeTime at={question.createdAt} />
        </span>
      </div>
      <OtherWordings question={question} />
      {question.answer && (
        <details>
          <summary className="small soft">The assistant’s answer</summary>
          <Markdown text={question.answer} />
        </details>
      )}
      <SourceList sources={question.sources} />
      <Comments comments={question.votes.comments} />
      {question.askedAgain && <AskedAgain {...question.askedAgain} />}
      <div className="row">
        {!question.answered && question.state === 'open' && <AnswerJob question={question} />}
        <QuestionActions question={question} />
      </div>
    </li>
  );
}

/** What readers thought of the answers. */
function Votes({ helpful, notHelpful }: Question['votes']) {
  return (
    <>
      {helpful > 0 && <Badge tone="good">{helpful} helpful</Badge>}
      {notHelpful > 0 && <Badge tone="warn">{notHelpful} not helpful</Badge>}
    </>
  );
}

function Comments({ comments }: Pick<Question['votes'], 'comments'>) {
  if (comments.length === 0) return null;
  return (
    <details>
      <summary className="small soft">What readers said of the answers</summary>
      <ul className="bullets small">
        {comments.map((comment, at) => (
          <li key={at}>{comment}</li>
        ))}
      </ul>
    </details>
  );
}

function AskedAgain({ at, sources }: NonNullable<Question['askedAgain']>) {
  return (
    <div className="stack-tight">
      <p className="small soft">
        Asked again after a merge, <RelativeTime at={at} />:{' '}
        {sources.length > 0 ? 'the docs answer it now.' : 'the docs still do not answer it.'}
      </p>
      <SourceList sources={sources} />
    </div>
  );
}

function StateBadge({ question: { answered, state } }: { question: Question }) {
  if (state !== 'open') return <Badge>{state}</Badge>;
  return <Badge tone={answered ? 'good' : 'warn'}>{answered ? 'answered' : 'unanswered'}</Badge>;
}

function OtherWordings({ question: { question, wordings } }: { question: Question }) {
  const others = wordings.filter(wording => wording !== question);
  if (others.length === 0) return null;
  return (
    <details>
      <summary className="small soft">
        Also asked as {plural(others.length, 'other question')}
      </summary>
      <ul className="bullets small">
        {others.map(wording => (
          <li key={wording}>{wording}</li>
        ))}
      </ul>
    </details>
  );
}
