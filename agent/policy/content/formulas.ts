import { type Report, squeeze } from './item.ts';

/** Commands of TeX that only draw. */
const DRAWS = new Set(
  (
    'alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi ' +
    'varpi rho varrho sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi ' +
    'Pi Sigma Upsilon Phi Psi Omega frac dfrac tfrac cfrac binom dbinom sqrt sum prod coprod int iint ' +
    'iiint oint lim limsup liminf sup inf max min arg argmax argmin sin cos tan cot sec csc sinh cosh ' +
    'tanh arcsin arccos arctan log ln lg exp det dim ker gcd deg hom Pr bmod pmod mod times cdot cdots ' +
    'ldots dots vdots ddots div pm mp ast star circ bullet oplus otimes ominus odot le leq ge geq ne neq ' +
    'lt gt ll gg approx equiv sim simeq cong propto in notin ni subset subseteq supset supseteq cup cap ' +
    'setminus emptyset varnothing forall exists nexists neg lnot land lor wedge vee top bot vdash models ' +
    'to gets mapsto rightarrow leftarrow Rightarrow Leftarrow leftrightarrow Leftrightarrow iff implies ' +
    'longrightarrow Longrightarrow longmapsto uparrow downarrow hookrightarrow xrightarrow xleftarrow ' +
    'infty partial nabla hbar ell Re Im aleph angle triangle square langle rangle lceil rceil lfloor ' +
    'rfloor lvert rvert lVert rVert vert Vert mid nmid parallel perp left right middle big Big bigg Bigg ' +
    'bigl bigr Bigl Bigr biggl biggr mathbb mathbf mathcal mathfrak mathit mathrm mathsf mathtt mathscr ' +
    'boldsymbol bm text textbf textit textrm texttt textsf mbox operatorname hat bar vec tilde dot ddot ' +
    'check breve acute grave widehat widetilde overline underline overbrace underbrace overset underset ' +
    'stackrel substack prime quad qquad hspace vspace displaystyle textstyle scriptstyle limits nolimits ' +
    'begin end hline cline tag label ref eqref nonumber notag color boxed cancel not dagger ddagger ' +
    'backslash colon sqcup sqcap bigcup bigcap bigsqcup bigoplus bigotimes bigvee bigwedge triangleq ' +
    'doteq prec succ preceq succeq lbrace rbrace lbrack rbrack therefore because choose over atop ' +
    'intertext newline enspace thinspace smallsetminus coloneqq pmatrix rm bf it tt cal'
  ).split(' '),
);

const ACTIVE = /\bscript\b|javascript|href|url|html|style|class|require|def|let|command/i;
/** Commands that are never text: a browser may look for formulas in all of a page. */
const ACTIVE_COMMAND =
  /^\\(?:href|url|def|let|newcommand|require|include\w*|input|html\w*|class|style|csname|special|cssId)$/;
/** In braces, what a generator without formulas runs nothing of. */
const NAMES = /^(?:[\w \t\r\n\\^+\-*,/|!:;.&{}]|=(?=[ \t]*[-\d\\]))*$/;

/** Reports the first command of a formula that may do more than draw; in MDX also its braces. */
export function judgeFormula(
  tex: string,
  at: number,
  report: Report,
  { mayBeMdx }: { mayBeMdx: boolean } = { mayBeMdx: false },
): void {
  const say = (rule: 'script' | 'markup' | 'mdx-code', key: string, shown: string): void =>
    report(at, {
      rule,
      key: `formula ${key}`,
      what: `a formula with \`${shown}\``,
      instead: 'Use commands that only draw, names and numbers, or show it in a code block.',
      hint: shown,
    });
  if (mayBeMdx && !NAMES.test(tex.slice(tex.indexOf('{'), tex.lastIndexOf('}') + 1)))
    say('mdx-code', 'with more than names', '{');
  const mark = /\{[{%#]|<(?=[a-z/!?])|`/i.exec(tex)?.[0];
  const [command = mark] =
    [...tex.matchAll(/\\([a-zA-Z]+)/g)].find(([, name = '']) => !DRAWS.has(name)) ?? [];
  if (command === undefined) return;
  const isWhole = command === mark || ACTIVE.test(tex);
  say(ACTIVE.test(tex) ? 'script' : 'markup', isWhole ? squeeze(tex) : command, command);
}

/** Judges a backslash in a text, and the formula that it may begin; `text` is its paragraph's rest. */
export function judgeCommand(
  text: string,
  at: number,
  reading: { mayBeMdx: boolean },
  report: Report,
): void {
  const [command = ''] = /^\\[a-zA-Z]+/.exec(text) ?? [];
  const [, inBrackets] = /^\\\\?[([]((?:[^\\]|\\(?![)\]]))*)\\\\?[)\]]/.exec(text) ?? [];
  const tex = command === '\\begin' ? text : inBrackets;
  if (ACTIVE_COMMAND.test(command)) judgeFormula(text.split('\n', 1)[0] ?? '', at, report);
  else if (tex !== undefined && /\\[a-zA-Z]|\{/.test(tex)) judgeFormula(tex, at, report, reading);
}
