import { type Command, Argument } from 'commander';
import type { Env } from '../connect/settings.ts';
import { print } from '../output/terminal.ts';
import { COMMANDS } from './registry.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** What may follow a command: `` for the first word, else its words with a space between them. */
interface Place {
  path: string;
  words: string[];
}

/** Registers `docent completion`. */
export function registerCompletion(program: Command, env: Env): void {
  program
    .command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action(async (shell: Shell) => {
      const known = new Set(program.commands.map(command => command.name()));
      for (const [name, load] of COMMANDS) if (!known.has(name)) (await load())(program, env);
      print(SCRIPTS[shell](placesOf(program, '')));
    });
}

function placesOf(command: Command, path: string): Place[] {
  const below = command.commands;
  const options = command.options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : []));
  return [
    { path, words: [...below.map(each => each.name()), ...options, '--help'] },
    ...below.flatMap(each => placesOf(each, path === '' ? each.name() : `${path} ${each.name()}`)),
  ];
}

const cases = (places: Place[]): string =>
  places.map(({ path, words }) => `    '${path}') list='${words.join(' ')}' ;;`).join('\n');

/** The words before the cursor, as far as they name a command. */
const PATH_OF = (places: Place[]): string => `  local at='' next list=''
  for word in "\${given[@]}"; do
    next="\${at:+$at }$word"
    case "$next" in
      ${places
        .filter(({ path }) => path !== '')
        .map(({ path }) => `'${path}'`)
        .join('|')}) at="$next" ;;
    esac
  done
  case "$at" in
${cases(places)}
  esac`;

const SCRIPTS: Record<Shell, (places: Place[]) => string> = {
  bash: places => `_docent() {
  local word given=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
${PATH_OF(places)}
  COMPREPLY=($(compgen -W "$list" -- "\${COMP_WORDS[COMP_CWORD]}"))
  [[ \${#COMPREPLY[@]} -gt 0 ]] || compopt -o default
}
complete -F _docent docent`,
  zsh: places => `#compdef docent
_docent() {
  local word given=("\${(@)words[2,CURRENT-1]}")
  local -a all
  () {
  ${PATH_OF(places).replaceAll('\n', '\n  ')}
    all=(\${=list})
  }
  compadd -a all || _files
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _docent docent`,
  fish: places => `function __docent_at
    set -l path ''
    for word in (commandline -opc)[2..]
        set -l next (string trim "$path $word")
        contains -- "$next" ${places
          .filter(({ path }) => path !== '')
          .map(({ path }) => `'${path}'`)
          .join(' ')}; and set path "$next"
    end
    test "$path" = "$argv[1]"
end
${places.map(({ path, words }) => `complete -c docent -n "__docent_at '${path}'" -a '${words.join(' ')}'`).join('\n')}`,
};
