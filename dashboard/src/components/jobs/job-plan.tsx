import type { Todo } from '../../../../shared/jobs/job.ts';
import { Icon } from '../text/icons.tsx';

const STATUS = {
  pending: 'to do',
  in_progress: 'in progress',
  completed: 'done',
  cancelled: 'cancelled',
} as const;

/** The to-do list that the agent keeps. */
export function JobPlan({ todos }: { todos: readonly Todo[] }) {
  const done = todos.filter(todo => todo.status === 'completed').length;
  return (
    <div className="card card-pad section">
      <div className="row-between">
        <h2>Plan</h2>
        <span className="small faint number">
          {done} of {todos.length}
        </span>
      </div>
      <ul className="todos">
        {todos.map(todo => (
          <li key={todo.id} className={`todo todo-${todo.status}`}>
            <span className="todo-mark" aria-hidden="true">
              {todo.status === 'completed' && <Icon name="check" size={12} />}
            </span>
            <span>
              <span className="visually-hidden">{STATUS[todo.status]}: </span>
              {todo.content}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
