import { lineCounter } from '../../sites/outline/line-counter.ts';
import { codePoint } from '../tools/matching/plain-form.ts';

/** A plain thing in a text that a person should have seen before it is published. */
export interface FoundInText {
  /** 1-based. */
  line: number;
  /** A part of a sentence, such as ``a new host, `cdn.example.net` ``. */
  says: string;
  /** If a page of the base has this text, there is nothing new about it. */
  unlessNamed?: string;
}

const SHOWN = 80;

/** As browsers read them: `https:/host`, `/\host` and `www.host` lead to a host, too. */
const BEFORE_HOST = [
  String.raw`\b(?:https?|wss?|ftp):[\\/]*`,
  String.raw`(?<=["'(=<:\s])[\\/]{2,}`,
  String.raw`(?<![\w.@/-])(?=www\.)`,
].join('|');
const NOT_IN_ADDRESS = String.raw`\s<>"'\x60)\]}|\\`;
const ADDRESS = new RegExp(`(?:${BEFORE_HOST})[^${NOT_IN_ADDRESS}/][^${NOT_IN_ADDRESS}]*`, 'gi');
/** Not `package@1.2.3`. */
const MAIL = /(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]+\.)+(?=[\w-]*[a-z])[\w-]+/gi;
/** Names that are kept for examples, and this machine. */
const EXAMPLE =
  /(?:^|[.@])(?:example(?:\.(?:com|net|org))?|test|invalid|localhost|local)(?::\d+)?$/i;
const LINK = /\[([^\]\n]{1,200})\]\(\s*<?((?:https?:[\\/]*|[\\/]{2,})[^\s)>]+)/gi;
const ENDINGS = 'com|org|net|io|dev|app|ai|co|cloud|sh|us|uk|de|eu|gov|edu|info';
const HOST_IN_TEXT = new RegExp(
  String.raw`(?:^|\s)(?:https?:\/\/|www\.)?((?:[\w-]+\.)+(?:${ENDINGS}))(?=$|[/\s:])`,
  'i',
);
const INSTALLERS = [
  'npm (?:i|install|add|exec|create|init)',
  '(?:npx|bunx|uvx|pipx(?: install)?)',
  '(?:yarn|pnpm|bun)(?: global)? (?:i|install|add|dlx|x|create)',
  '(?:uv )?pip3? install',
  'uv (?:add|tool install)',
  'poetry add',
  '(?:conda|gem|choco|winget) install',
  'cargo (?:add|install)',
  'go (?:get|install|run)',
  'bundle add',
  'composer require',
  'brew (?:install|tap)',
  String.raw`(?:apt|apt-get|dnf|yum|apk)(?: -[\w-]+)* (?:install|add)`,
  'docker (?:pull|run)',
  'helm (?:install|repo add)',
  'dotnet add package',
];
const INSTALL = new RegExp(String.raw`\b(${INSTALLERS.join('|')})\s+([^\n|;&#]{1,200})`, 'g');
/** Of these, only the first word is a package: the others are its arguments. */
const RUNS = /^(?:npm (?:exec|create|init)|npx|bunx|\w+ (?:dlx|x|create)|uvx|go run)$/;
const LOADS = String.raw`(?:curl|wget|iwr|irm|Invoke-(?:WebRequest|RestMethod))\b`;
const SHELL = '(?:ba|z|da)?sh';
const PIPED = new RegExp(
  [
    String.raw`\b${LOADS}[^\n|]{0,300}\|\s*(?:sudo\s+(?:-\w+\s+)*)?(?:/[\w/]{1,40}/)?` +
      String.raw`(?:${SHELL}|(?:python3?|node|perl|ruby)(?!\s+-\w))\b`,
    String.raw`\|\s*(?:iex|Invoke-Expression)\b`,
    String.raw`\b(?:${SHELL}|source|eval|iex|python3?)\b(?:\s+-\w+){0,5}[\s"'&{]{0,10}[<$]?\(\s*` +
      String.raw`${LOADS}[^\n)]{0,300}`,
  ].join('|'),
  'gi',
);
const ENCODED = /(?<![\w+/-])[\w+/-]{60,}={0,2}/g;
/** Cyrillic and Greek letters beside Latin ones that they look like, and letters of formulas. */
const LOOKS_LATIN = 'асеорхуіјѕһԁԛԝАВЕКМНОРСТХІЈЅοΟΑΒΕΖΗΙΚΜΝΡΤΥΧ';
const MIXED = new RegExp(
  String.raw`(?<![\p{L}\p{M}])(?=[\p{L}\p{M}]*\p{Script=Latin})(?=[\p{L}\p{M}]*[${LOOKS_LATIN}])[\p{L}\p{M}]+|` +
    String.raw`[\uff21-\uff5a\u{1d400}-\u{1d7ff}]+`,
  'gu',
);
/** One that is not closed ends with the text: looking for the end of each would take minutes. */
const UNSEEN =
  /<!--([^]*?)(?:-->|(?![^]))|\{\/\*([^]*?)(?:\*\/\}|(?![^]))|^\[(?:\/\/|comment)\]:\s*(?:#|<>)\s*(.*)$/gim;

/** In the lines that none of the known texts has. Linear in the text. */
export function pointsInText(text: string, known: readonly string[]): FoundInText[] {
  const old = new Set(known.flatMap(one => one.split('\n')));
  const lines = text.split('\n');
  const found: FoundInText[] = lines.flatMap((line, at) =>
    old.has(line) ? [] : inLine(line).map(one => ({ line: at + 1, ...one })),
  );
  const isCode = inFences(lines);
  const knownUnseen = new Set(
    known.flatMap(one => Array.from(one.matchAll(UNSEEN), ([all]) => all)),
  );
  const unseen = [...text.matchAll(UNSEEN)].filter(([all]) => !knownUnseen.has(all));
  const linesBefore = lineCounter(text);
  for (const match of unseen) {
    const words = (match[1] ?? match[2] ?? match[3] ?? '').trim();
    const line = linesBefore(match.index) + 1;
    // Others are such as `truncate`, or what a linter reads.
    if (!isCode(line) && words.split(/\s+/, 4).length === 4)
      found.push({ line, says: `text that readers do not see, ${quoted(words)}` });
  }
  return found;
}

/** Whether a line is in a block of code, where a comment can be read. */
function inFences(lines: readonly string[]): (line: number) => boolean {
  let fence = '';
  const code = lines.map(line => {
    const [, mark = ''] = /^[ \t>]*(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === '') fence = mark;
    else if (mark.startsWith(fence)) fence = '';
    return fence !== '';
  });
  return line => code[line - 1] === true;
}

type InLine = Omit<FoundInText, 'line'>;

function inLine(line: string): InLine[] {
  return [
    ...Array.from(line.matchAll(ADDRESS), ([address]) => ofAddress(address)).flat(),
    ...Array.from(line.matchAll(LINK), ([, text = '', to = '']) => ofLink(text, to)).flat(),
    ...Array.from(line.matchAll(MAIL), ([mail]) => ofMail(mail)).flat(),
    ...Array.from(line.matchAll(INSTALL), ([, by = '', names = '']) => ofInstall(by, names)).flat(),
    ...Array.from(line.matchAll(PIPED), ([command]) => ({
      says: `a download that a shell runs, ${quoted(command)}`,
      unlessNamed: command,
    })),
    ...Array.from(line.matchAll(ENCODED), ([code]) => ofCode(code)).flat(),
    ...Array.from(line.matchAll(MIXED), ([word]) => ({
      says: `letters that are not what they look like, ${quoted(word)} (${codes(word)})`,
      unlessNamed: word,
    })),
  ];
}

function ofAddress(address: string): InLine[] {
  const url = parsed(address);
  // The end of a sentence is not a part of it.
  const host = url?.host.replace(/^www\./, '').replace(/\.+(?=:\d+$|$)/, '') ?? '';
  if (!url || EXAMPLE.test(host) || !host.includes('.')) return [];
  const points: InLine[] = [{ says: `a new host, ${quoted(host)}`, unlessNamed: host }];
  if (url.username !== '' || url.host.includes('xn--'))
    points.push({ says: `an address that looks like another one, ${quoted(address)}` });
  const data = [...url.searchParams].some(([, value]) => value.length >= 24);
  if (data || url.search.length > 100)
    points.push({ says: `an address that carries data, ${quoted(address)}`, unlessNamed: address });
  return points;
}

function parsed(address: string): URL | undefined {
  const [, scheme = 'https', rest = ''] = /^(?:([a-z]+):)?[\\/]*(.*)$/i.exec(address) ?? [];
  const whole = `${scheme}://${rest}`;
  return URL.canParse(whole) ? new URL(whole) : undefined;
}

function ofLink(text: string, to: string): InLine[] {
  const shown = HOST_IN_TEXT.exec(text.replaceAll('`', ''))?.[1]?.toLowerCase();
  const host = parsed(to)?.hostname;
  if (shown === undefined || host === undefined) return [];
  const [a, b] = [shown, host].map(one => one.replace(/^www\./, ''));
  const isSame = a === b || `.${b}`.endsWith(`.${a}`) || `.${a}`.endsWith(`.${b}`);
  return isSame
    ? []
    : [{ says: `a link that reads ${quoted(shown)} and leads to ${quoted(host)}` }];
}

function ofMail(mail: string): InLine[] {
  return EXAMPLE.test(mail)
    ? []
    : [{ says: `a new mail address, ${quoted(mail)}`, unlessNamed: mail }];
}

/** The packages of a command, up to a word that is none. */
function ofInstall(command: string, text: string): InLine[] {
  const names: string[] = [];
  for (const word of text.replace(/`.*$/, '').split(/\s+/)) {
    if (word.startsWith('-') || word.includes('://')) continue;
    const isWhole = /^(?:[^"']*|"[^"']*"|'[^"']*')$/.test(word);
    const name = isWhole ? word.replace(/["']/g, '') : word.replace(/["'].*$/, '');
    // Without what is wanted of it: `[extras]`, `>=1.0`.
    const plain = name.replace(/(?<=\w)(?:\[[\w,-]*\])?(?:[<>=~!^].*)?$/, '');
    if (!/^[@\w][\w@./:-]*\w$/.test(plain)) break;
    names.push(plain.replace(/(?<=.)@[^@/]*$/, '').replace(/:.*$/, ''));
    if (!isWhole || RUNS.test(command)) break;
  }
  return names.map(name => ({ says: `an install of ${quoted(name)}`, unlessNamed: name }));
}

/** Not a path or a name of many words. */
function ofCode(code: string): InLine[] {
  const isRandom = /\d/.test(code) && /[a-z]/.test(code) && /[A-Z]/.test(code);
  const longest = Math.max(...code.split(/[/_-]/).map(part => part.length));
  if (!isRandom || longest < 40) return [];
  return [{ says: `a long encoded text, ${quoted(code)}`, unlessNamed: code }];
}

function codes(word: string): string {
  return [...word]
    .filter(character => !/\p{ASCII}/u.test(character))
    .slice(0, 4)
    .map(codePoint)
    .join(', ');
}

function quoted(text: string): string {
  const plain = text.replace(/[`\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return `\`${plain.length > SHOWN ? `${plain.slice(0, SHOWN)}…` : plain}\``;
}
