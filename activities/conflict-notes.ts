import { MAKE_CHANGE_AGAIN } from '../shared/agent-text.ts';
import type { Merged } from './merge.ts';

/**
 * Characters of one file's version, and of all that a turn begins with: every step of the turn pays
 * for them again.
 */
const MAX_VERSION = 20_000;
const MAX_NOTES = 60_000;
const MAX_PATHS = 200;

/**
 * What the model is told of files that somebody else changed where the job had changed them too.
 * What is too much is named only.
 */
export function conflictNotes(conflicts: Merged['conflicts']): string[] {
  const notes: string[] = [];
  const named: string[] = [];
  let size = 0;
  for (const conflict of conflicts) {
    const note = conflictNote(conflict);
    if (size + note.length > MAX_NOTES) named.push(conflict.path);
    else {
      size += note.length;
      notes.push(note);
    }
  }
  if (named.length > 0) {
    const more = named.length > MAX_PATHS ? ` and ${named.length - MAX_PATHS} more` : '';
    notes.push(
      `The same goes for ${named.slice(0, MAX_PATHS).join(', ')}${more}: their version stands, and yours is too long to be shown here. View each of them and make your change again.`,
    );
  }
  return notes;
}

function conflictNote({ path, ours }: Merged['conflicts'][number]): string {
  const version =
    ours === null
      ? 'You had deleted the file.'
      : `Your version was${ours.length > MAX_VERSION ? `, in its first ${MAX_VERSION} characters` : ''}:\n${ours.slice(0, MAX_VERSION)}`;
  return `Somebody else changed ${path} where you had changed it too. Their version stands in the workspace. ${version}\n${MAKE_CHANGE_AGAIN} on top of theirs, keeping what they wrote.`;
}
