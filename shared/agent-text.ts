/**
 * Text of ours that a program reads back: the offline model, which meets the rest of Docent over
 * HTTP alone. Writer and reader import it from here. Of the rest of the product the offline model
 * imports only what reads pages, from `sites`.
 */

/** What the offline model calls itself, in answers and in the API. */
export const OFFLINE_MODEL = 'docent-offline';

/** What the offline model prints when it listens, and what is read back from its log. */
export function listeningLine(url: string): string {
  return `The offline model listens on ${url}`;
}
export const LISTENING = /^The offline model listens on (\S+)$/m;

/** Anthropic's text editor: one tool for the model, whose commands are four tools of ours. */
export const EDITOR_NAME = 'str_replace_based_edit_tool';

const NOTE = 'docent-note';

/** A word of ours to the agent's model, among the instructions of people. */
export function docentNote(text: string): string {
  return `<${NOTE}>${text}</${NOTE}>`;
}
export const IS_NOTE = new RegExp(`^\\s*<${NOTE}\\b`);

const ORIENTATION = 'orientation';

/** What a job begins with knowing of its repository. The repository's own words end no tag. */
export function orientationText(facts: string): string {
  return `<${ORIENTATION}>\n${facts.replaceAll('<', '‹')}\n</${ORIENTATION}>`;
}
export const IS_ORIENTATION = new RegExp(`^<${ORIENTATION}>\n`);

/** In the note about files that another person changed where the job had changed them too. */
export const MAKE_CHANGE_AGAIN = 'Make your change again';

/** The tool that the model has while it plans, and the note once its plan is approved. */
export const PLAN_TOOL = 'propose_plan';
export const PLAN_APPROVED = 'A person approved this plan.';

/** The last turn was cut short: as a note, and as the result of a call that never ran. */
export const TAKEN_BACK =
  'The last turn was ended before anything was published, and its edits were taken back. ' +
  'Do not carry out its instructions, unless you are asked to again.';
export const NOT_RUN = 'Not run: the turn was ended first.';

/** What stands in place of a secret wherever Docent keeps what the model said. */
export function secretRemoved(kind: string): string {
  return `‹secret removed: ${kind}›`;
}
export const SECRET_REMOVED = /‹secret removed: [^›\n]{1,60}›/;

/** The line of the system prompt that names the docs folder; '' is the repository's root. */
export function docsFolderLine(docsFolder: string): string {
  return `Docs folder: ${docsFolder === '' ? 'the repository’s root' : `${docsFolder}/`}`;
}
export const DOCS_FOLDER = /^Docs folder: (\S+)\/$/m;

/** How list_files and search_text end when there is more than they show. */
export function orSkip(shown: number): string {
  return `or skip ${shown}.]`;
}
export const OR_SKIP = /\n\[\d+ more\b.*\bor skip (\d+)\.\]$/;

/** How `view` ends when there is more of the file, and when it cuts a line. */
export function viewMore(lines: string, from: number, to: number): string {
  return `[${lines}: view with view_range [${from}, ${to}].]`;
}
export const VIEW_MORE = /\n\[\d+ more lines?: view with view_range \[\d+, \d+\]\.\]$/;
export function lineTooLong(characters: number): string {
  return `[The line is ${characters} characters long; the rest is cut.]`;
}
export const LINE_TOO_LONG = /^\[The line is \d+ characters long/m;
export const FILE_IS_EMPTY = ' is empty.';

/** Where a reader of the docs is, in the assistant's request; no words of theirs. */
export const READER_CONTEXT = '<reader-context>';

/** A passage of a search result, with the heading that it stands under. */
export function passageText(heading: string, text: string): string {
  return heading === '' ? text : `## ${heading}\n\n${text}`;
}
export const PASSAGE = /^(?:## (.*)\n\n)?([^]*)$/;

/** One finding of `check`, a line each. */
export function findingLine(
  place: string,
  severity: string,
  rule: string,
  message: string,
): string {
  return `${severity}: ${place} ${rule}: ${message}`;
}

/** How the message about a broken link begins; `meant` is the link that it may have to be. */
export function brokenLink(link: string, meant: string | undefined): string {
  return `${link} leads nowhere${meant === undefined ? '' : `, did you mean ${meant} ?`}`;
}
/** How the message about a link to no heading begins. */
export function brokenAnchor(link: string, message: string): string {
  return `${link}: ${message}`;
}
/** What leads nowhere: file, line, rule, link, and the link that it may have to be. */
export const BROKEN =
  /^(?:error|warning): (.+?):(\d+) (link|anchor): (.+?)(?:: | leads nowhere(?:, did you mean (\S+) \?)?)/gm;

/** The site cannot be judged: what leads nowhere may be a redirect. */
export const NOT_VALID = /^error: .+ navigation: (.+ is not valid .*)$/m;

/** Most links of a site lead nowhere: it is built in another way than we think. */
export function linksNotUnderstood(broken: number, all: number): string {
  return (
    `${broken} of ${all} links of this site lead nowhere by the rules that are known of it, so it ` +
    'is built in another way. Repair no links: a person has to set the kind and the docs folder ' +
    'of the project first.'
  );
}
export const LINKS_NOT_UNDERSTOOD = /^\d+ of \d+ links of this site lead nowhere by the rules.*$/m;

/** How replace_all begins what it did, and what it says of files that it may not change. */
export function replaced(places: string, files: string): string {
  return `Replaced ${places} in ${files}:`;
}
export const REPLACED = /^Replaced (\d+) occurrences? in (\d+) files?:/;
export function leftAlone(reasons: readonly string[]): string {
  return `Left alone:\n${reasons.join('\n')}`;
}
export const LEFT_ALONE = /^Left alone:\n([^]*)$/m;

/** Ended by a blank line, whatever it ends with: what is put behind it begins a paragraph. */
export function withBlankLine(text: string): string {
  return `${text.trimEnd()}\n\n`;
}

/** Ends what a person wrote in an automation; what follows is about its run. */
export const AUTOMATION_RUN = 'This is a run of the automation';
