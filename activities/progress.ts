import { Context } from '@temporalio/activity';

const progress = new WeakMap<Context, object>();

/** Beats with what people see in Temporal as the activity's progress; later beats repeat it. */
export function beat(details: object): void {
  const context = Context.current();
  progress.set(context, details);
  context.heartbeat(details);
}

/** Beats with the progress that was last told, if any. */
export function beatAgain(context: Context): void {
  context.heartbeat(progress.get(context));
}
