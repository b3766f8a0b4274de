import { named } from './names.ts';

/** Declarations that change looks where the element is, and load nothing. */
const PROPERTY = named(`
  (?:max-|min-)?(?:width|height) (?:margin|padding)(?:-(?:top|right|bottom|left))?
  border(?:-(?:top|right|bottom|left))?(?:-(?:radius|color|width|style|collapse))? color
  background(?:-color)? text-(?:align|decoration) font(?:-(?:size|weight|style|family))?
  line-height vertical-align white-space display float clear gap
  flex(?:-(?:wrap|direction|grow|shrink|basis))? align-items justify-content grid-template-columns
  list-style(?:-type)? aspect-ratio opacity object-fit overflow(?:-[xy])? table-layout word-break
`);
const VALUE = /^(?!-)(?:[\w#%., ]|(?<! )-|\b(?:rgba?|hsla?|var|repeat|minmax)\(|\))*$/;
const HIDES = /^(?:none|0(?:px|em|rem|%)?)$/;
const SEEN = /^(?:1|0?\.[3-9]\d*)$/;

export function isPlainStyle(value: string): boolean {
  const bare = value.replace(/^\{\{|\}\}$/g, '');
  const parts = bare === value ? value.split(';') : bare.split(/,(?![^(]*\))/);
  return parts.every(part => {
    if (part.trim() === '') return true;
    const [, name = '', raw = ''] = /^\s*["']?([\w-]+)["']?\s*:\s*(.*?)\s*$/s.exec(part) ?? [];
    const property = name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
    const text = raw.replace(/^(["'])(.*)\1$/, '$2').replace(/\s*!important$/, '');
    const isHidden = HIDES.test(text) && /^(?:display|font|font-size)$/.test(property);
    if (property === 'opacity') return SEEN.test(text);
    return PROPERTY.test(property) && VALUE.test(text) && !isHidden;
  });
}

/** Utility classes of spaces, sizes, colours and rows, as docs.json platforms make them. */
const UTILITY = named(String.raw`
  [mp][trblxy]?-(?:\d+|auto|px)
  (?:w|h|max-w|min-w|max-h)-(?:\d+|full|fit|auto|xs|sm|md|lg|xl|\dxl|prose|\d/\d)
  text-(?:xs|sm|base|lg|xl|\dxl|left|right|center|(?:gray|zinc|slate)-\d+)
  font-(?:light|normal|medium|semibold|bold|mono) (?:bg|border|text)-(?:gray|zinc|slate|white|primary|secondary|success|warning|danger|info|light|dark)(?:-\d+)?
  rounded(?:-(?:sm|md|lg|xl|\dxl|full))? border shadow(?:-\w+)? flex block inline inline-block
  inline-flex hidden grid grid-cols-\d+ gap-\d+ space-[xy]-\d+ items-\w+ justify-\w+
  flex-(?:col|row|wrap) object-\w+ aspect-\w+ not-prose prose mx-auto
`);
const WHEN = /^(?:(?:dark|sm|md|lg|xl|hover):)*/;
/** Buttons, grids and icons that themes document. */
const OF_THEMES = named(String.raw`
  (?:button|badge|alert|card(?!-img-overlay)|row|col|text|margin|padding|avatar|pills)(?:(?:--?|__)[a-z\d]+)*
  md-button(?:--primary)? (?:table|btn)(?:-[a-z\d]+)* external(?:-link)? grid cards annotate
  center left right lg middle twemoji icon fa[srb]? fa-[\w-]+ img-fluid
  (?:language(?!-mermaid)|highlight)(?:-\w+)? note tip warning info danger caution important admonition no-\w+
  sd-(?:text|rounded|shadow|[mp][trblxy]?|border|bg|font|fs|d|w)-[\w-]+ dropdown toggle centered
  custom-block critic blog new opaque head colwidths-\w+ text-(?:left|right|center)
  (?:note|warning|important|highlight|new)-title primary secondary success full-width page-break
  caption-text align-\w+ left-col right-col only-(?:light|dark)
  dark-light
`);

/** Classes that any theme may have and that move nothing; others are known by the site's pages. */
export function isPlainClass(word: string): boolean {
  return word === '' || UTILITY.test(word.replace(WHEN, '')) || OF_THEMES.test(word);
}
