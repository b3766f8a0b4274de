import { type Command, Option } from 'commander';
import { SITE_KINDS } from '../kinds/registry.ts';
import { shown } from './formats/shown.ts';

export const FORMATS = ['text', 'json', 'github', 'junit', 'sarif'] as const;
export type Format = (typeof FORMATS)[number];

/** As given on the command line, or in the settings file of the folder. */
export interface CheckOptions {
  kind?: string;
  config?: string;
  everySite?: boolean;
  all?: boolean;
  anchors?: boolean;
  json?: boolean;
  format?: Format;
  changed?: string;
  baseline?: string;
  updateBaseline?: boolean;
  ignore?: string[];
  external?: boolean;
  built?: string;
}

/** The check cannot be done: wrong use, or there is nothing to read. The message is for people. */
export class CannotCheck extends Error {
  override readonly name = 'CannotCheck';

  constructor(message: string) {
    super(shown(message));
  }
}

/** Gives a command the arguments of the check. `name` is how its examples call it. */
export function withCheckOptions(command: Command, name: string): Command {
  return command
    .argument('[folder]', 'a checkout of the docs repository', '.')
    .description('find broken links, anchors, navigation entries and redirects of a docs site')
    .addOption(
      new Option('--kind <kind>', 'site kind, if the detected one is wrong').choices(SITE_KINDS),
    )
    .option('--config <file>', 'the configuration of the site to check, whatever its name')
    .addOption(new Option('--every-site', 'check every site of the repository').conflicts('config'))
    .option(
      '--built <dir>',
      "judge by the HTML that the site's own build made: a folder or a server",
    )
    .option('--external', 'follow links to other sites as well')
    .option('--all', "also report what the site's own build does not check, as warnings")
    .option('--changed <ref>', 'report only what is broken since this branch or commit')
    .option('--baseline <file>', 'report only what is not in this file')
    .option('--update-baseline', 'write the problems of today into the baseline file')
    .option('--ignore <glob...>', 'leave out these files or links')
    .addOption(new Option('--format <format>', 'how to print').choices(FORMATS).default('text'))
    .addOption(
      new Option('--json', 'print pages, navigation, redirects and findings as JSON').conflicts(
        'format',
      ),
    )
    .option('--anchors', 'with --json: the heading ids of every page as well')
    .addHelpText('after', examples(name));
}

function examples(name: string): string {
  return `
Examples:
  ${name}                                     the checkout in this folder
  ${name} --changed origin/main --format github   what a pull request breaks
  ${name} website --built website/build       what the built site says

Exit codes: 0 no errors, 1 errors, 2 wrong use or nothing to read.`;
}
