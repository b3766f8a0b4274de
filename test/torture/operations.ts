/** What is done to a job, and asks for no line. */
export type Act = 'cancel' | 'rewind' | 'merge' | 'archive';

/** Something that was asked for. `acknowledged` null: its sender never got an answer. */
export interface Operation {
  marker: string;
  kind: 'create' | 'message' | 'signal' | 'comment' | 'commit' | Act;
  jobId: string | null;
  invoked: number;
  acknowledged: number | null;
}
