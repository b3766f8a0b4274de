import { MAKE_CHANGE_AGAIN } from '../../shared/agent-text.ts';
import type { Merged } from './merge-conflicts.ts';
import type { Start } from './plan.ts';

/**
 * Characters of one file's version, and of all that a turn begins with: every step of the turn pays
 * for them again.
 */
const MAX_VERSION = 20_000;
const MAX_NOTES = 60_000;
const MAX_PATHS = 200;
const MAX_EARLIER_PATHS = 50;

const WHAT_HAPPENED = {
  merged: 'was merged',
  closed: 'was closed without merging',
  deleted: 'lost its branch',
} as const;

/** The note for the model if the earlier pull request is no longer open. */
export function overtakenNote(overtaken: Start['overtaken'], earlierPaths: string[]): string[] {
  if (!overtaken) return [];
  const sentences = [
    `The pull request of the earlier turns ${WHAT_HAPPENED[overtaken]}.`,
    'You now work on a new branch, from the newest base; a new pull request will be opened.',
  ];
  if (overtaken !== 'merged') sentences.push('The earlier edits are not in these files.');
  if (earlierPaths.length > 0) {
    const paths = earlierPaths.slice(0, MAX_EARLIER_PATHS).join(', ');
    sentences.push(`The earlier turns had changed: ${paths}.`);
  }
  return [sentences.join(' ')];
}

/** The note for the model if a later turn begins on another day; the first day is orientation. */
export function dateNote(told: string | undefined, today: string): string[] {
  return told === undefined || told === today ? [] : [`The date is ${today} now.`];
}

/**
 * The notes for the model about files that another person changed in the same lines as the job. If
 * they are too long, they only name the files.
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
      `The same applies to ${named.slice(0, MAX_PATHS).join(', ')}${more}: their version is in ` +
        'the workspace, and yours is too long to be shown here. View each of them and make your ' +
        'change again.',
    );
  }
  return notes;
}

function conflictNote({ path, ours }: Merged['conflicts'][number]): string {
  return (
    `Another person changed ${path} in the same place as you. ` +
    `Their version is in the workspace. ${yourVersion(ours)}\n` +
    `${MAKE_CHANGE_AGAIN} on top of theirs, and keep what they wrote.`
  );
}

function yourVersion(ours: string | null): string {
  if (ours === null) return 'You had deleted the file.';
  const part = ours.length > MAX_VERSION ? `, in its first ${MAX_VERSION} characters` : '';
  return `Your version was${part}:\n${ours.slice(0, MAX_VERSION)}`;
}
