import { anyOf, named } from './names.ts';

/** Elements that only give text a form. */
export const SAFE_ELEMENTS = new Set(
  (
    'a abbr aside b bdi bdo blockquote br caption center cite code col colgroup dd del details dfn div ' +
    'dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q rp rt ruby ' +
    's samp section small span strong sub summary sup table tbody td tfoot th thead tr tt u ul ' +
    'var wbr'
  ).split(' '),
);

/** Components that a docs.json platform brings along: no import names them. */
export const SAFE_COMPONENTS = new Set(
  (
    'Accordion AccordionGroup Badge Callout Card CardGroup Check CodeBlock CodeGroup Column ' +
    'Columns Danger Expandable Frame Icon Info Note Panel ParamField Param ResponseField ' +
    'RequestExample ResponseExample Steps Step Tab Tabs Tile Tip Tooltip Tree Tree.File ' +
    'Tree.Folder Update Warning Caution Steps.Step TabItem CardGrid LinkCard LinkButton FileTree Aside'
  ).split(' '),
);

/** Attributes without effect but on looks, of elements and components. */
export const SAFE_ATTRIBUTES = new Set(
  (
    'align alt aria-describedby aria-hidden aria-label aria-labelledby border cellpadding ' +
    'cellspacing class classname colspan dir height hidden href id lang loading decoding markdown ' +
    'name open rel reversed role rowspan scope span src srcset sizes start style tabindex target ' +
    'title translate valign width'
  ).split(' '),
);

export const SAFE_COMPONENT_ATTRIBUTES = new Set(
  (
    'arrow body borderbottom caption color cols cookie cta darkimg default defaultopen deprecated ' +
    'description disabled expandable filename header headline hidden hint horizontal icon icontype ' +
    'img initialvalue key label language lines noanchor noZoom nozoom params path placeholder ' +
    'placement pre post prefix query rehype required rss shape sidebartitle size stroke sync tag ' +
    'tags tip titlesize type value variant wrap groupid querystring'
  ).split(' '),
);

/** Attributes whose value is an address. */
export const ADDRESS_ATTRIBUTES = new RegExp(
  '^(?::?(?:href|src|srcset|data|action|formaction|poster|xlink:href|xlinkhref|to|url|uri|link|' +
    'codebase|archive|background|cite|ping|manifest|longdesc|img|image|logo|source|' +
    'thumbnail|embed|endpoint|spec))$',
  'i',
);

/** Those that a reader follows; the others load what is there. */
export const LINK_ATTRIBUTES = /^:?(?:href|to|uri|link|cite)$/i;

/** Attributes whose value is a program to some renderer. */
export const PROGRAM_ATTRIBUTES = new RegExp(
  '^(?:[@:#(\\[*]|v-|x-|hx-|ng-|on:|bind:|use:|set:|define:|client:|server:|is:|is$|' +
    'data-(?:action|controller|on|hx|bs|turbo|ng|v)-?|srcdoc$|dangerouslysetinnerhtml$|' +
    'innerhtml$|outerhtml$|rawhtml$|html$|formaction$|action$|ping$|manifest$|http-equiv$)',
  'i',
);

/** Elements that run, or load what runs: never by their name alone. */
export const SCRIPT_ELEMENTS =
  /^(?:script|style|link|meta|base|basefont|noscript|template|head|html|body|title|helmet|frameset)$/i;
export const EMBED_ELEMENTS =
  /^(?:iframe|object|embed|frame|applet|portal|fencedframe|webview|param|bgsound)$/i;
export const MEDIA_ELEMENTS =
  /^(?:video|audio|source|track|form|button|input|select|textarea|image|use|feimage)$/i;
/** Does something by its name alone, or changes how what follows is read. */
const ACTIVE_NAMES = anyOf(`
  script style iframe object embed link meta base textarea title xmp plaintext template svg math
  pre noscript select option listing noembed noframes frameset
`);
export const ACTIVE_NAME = new RegExp(String.raw`^${ACTIVE_NAMES}\b`, 'i');

/** Directives of Sphinx and MyST that load and run nothing. */
export const SAFE_DIRECTIVES = named(`
  note warning tip important caution danger hint seealso attention error admonition todo toctree
  code-block code sourcecode highlight image figure list-table table contents versionadded
  versionchanged versionremoved deprecated deprecated-removed rubric glossary index math topic
  sidebar epigraph container class rst-class cssclass centered hlist tab-set tab-item tabs tab
  group-tab code-tab dropdown grid grid-item grid-item-card card
  default-domain program option envvar confval only replace productionlist line-block compound
  tab-set-code js:module cpp:enum-(?:class|struct) rst:(?:directive|role) grid-item-card card-carousel
  pull-quote highlights footer header function class method attribute data exception div margin
  (?:py|c|cpp|js):(?:function|class|method|attribute|data|exception|type|macro|member|struct|enum)
  (?:py|c|cpp|js):(?:enumerator|union|var|property|staticmethod|classmethod|decorator|concept)
`);

/**
 * Directives whose block is text of another language, a program, or the name of a file, or that say
 * which module the next ones import: known with all of it.
 */
export const RUNNING_DIRECTIVES = new RegExp(
  anyOf(`
    raw include eval exec run plot ifconfig jupyter ipython doctest testcode testsetup testcleanup role
    csv meta graphviz uml kroki jinja auto command program-output argparse click need altair module
    mermaid openapi jsonschema iframe
  `),
);

/** Roles of theirs that name, link or format something. */
export const SAFE_ROLES = named(String.raw`
  doc ref numref any term abbr kbd guilabel menuselection file samp command program option envvar
  py:\w+ c:\w+ cpp:\w+ js:\w+ rst:\w+ std:\w+ class func meth mod attr exc data obj const math eq
  sub sup subscript superscript code literal emphasis strong pep rfc issue pr user ghuser gh
  commit pypi source dfn mimetype token keyword confval index external[\w:+.-]* download
  title-reference t octicon fa(?:[sbr]|-\w+)? bdg[\w-]* badge cite(?::\w+)? button-\w+ tooltip
`);
