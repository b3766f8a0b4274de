import type { Question } from '../../../../shared/dashboard/questions.ts';
import { SourceLink } from '../assistant/source-link.tsx';
import { Badge } from '../feedback/badge.tsx';
import { RelativeTime } from '../text/format.tsx';
import { Markdown } from '../text/markdown.tsx';
import { AnswerJob } from './answer-job.tsx';

/** One question of a reader, with its answer and sources. */
export function QuestionRow({ question }: { question: Question }) {
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
          <summary className="small soft">The assistant’s answer</summary>
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
      {!question.answered && <AnswerJob question={question} />}
    </li>
  );
}
