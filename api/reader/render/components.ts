import {
  type Attributes,
  type CalloutKind,
  type PageElement,
  type PageNode,
} from '../../dashboard/contract/page-tree.ts';
import { SPOKEN } from '../../../search/indexing/sections.ts';
import type { Links } from './links.ts';

/** Attributes as the page writes them, their names in lower case. */
export type Properties = Readonly<Record<string, string>>;

type Component = (
  properties: Properties,
  children: PageNode[],
  links: Links,
  name: string,
) => PageNode[];

const CALLOUTS: Readonly<Record<string, CalloutKind>> = {
  note: 'note',
  quote: 'note',
  cite: 'note',
  abstract: 'note',
  summary: 'note',
  example: 'note',
  info: 'info',
  todo: 'info',
  question: 'info',
  help: 'info',
  faq: 'info',
  seealso: 'info',
  important: 'info',
  tip: 'tip',
  hint: 'tip',
  check: 'check',
  success: 'check',
  warning: 'warning',
  caution: 'warning',
  attention: 'warning',
  danger: 'danger',
  error: 'danger',
  failure: 'danger',
  bug: 'danger',
};

/** Components of the common generators by their names in lower case: what is drawn, and how. */
const COMPONENTS: Readonly<Record<string, Component>> = {
  callout: typed,
  admonition: typed,
  aside: typed,
  details,
  accordion: details,
  expandable: details,
  dropdown: details,
  accordiongroup: group,
  card,
  linkcard: card,
  cardgroup: cards,
  cardgrid: cards,
  cards,
  columns: cards,
  tabs: (properties, children) => [tabs(children, properties)],
  tabset: (properties, children) => [tabs(children, properties)],
  tab: (properties, children) => [tab(properties, children)],
  tabitem: (properties, children) => [tab(properties, children)],
  codegroup: (_properties, children) => [codeTabs(children)],
  'code-group': (_properties, children) => [codeTabs(children)],
  steps: (_properties, children) => [{ tag: 'steps', children }],
  step: ({ title }, children) => [{ tag: 'step', ...titled(title), children }],
  paramfield: field,
  responsefield: field,
  field,
  frame: ({ caption }, children) => [
    {
      tag: 'figure',
      children: caption ? [...children, { tag: 'figcaption', children: [caption] }] : children,
    },
  ],
  tooltip: ({ tip, title }, children) => [{ tag: 'abbr', ...titled(tip ?? title), children }],
  badge: ({ text }, children) => [
    { tag: 'badge', children: text ? [text, ...children] : children },
  ],
  icon: () => [],
  filetree: group,
  update: ({ label }, children) => [
    {
      tag: 'div',
      children: label ? [{ tag: 'strong', children: [label] }, ...children] : children,
    },
  ],
  visibility: (properties, children) => (properties['for'] === 'agents' ? [] : children),
  browseronly: () => [],
};

export function isComponent(name: string): boolean {
  return Object.hasOwn(COMPONENTS, name) || Object.hasOwn(CALLOUTS, name);
}

/** A component of the list; undefined if the name is not on it. */
export function component(
  name: string,
  properties: Properties,
  children: PageNode[],
  links: Links,
): PageNode[] | undefined {
  const drawn = Object.hasOwn(COMPONENTS, name) ? COMPONENTS[name] : undefined;
  if (drawn) return drawn(properties, children, links, name);
  return Object.hasOwn(CALLOUTS, name) ? [callout(name, properties['title'], children)] : undefined;
}

/** What its attributes say, and what is in it. */
export function unknownComponent(
  name: string,
  children: PageNode[],
  properties: Properties = {},
): PageElement {
  const said = SPOKEN.flatMap((key): PageNode[] => {
    const text = properties[key];
    return text ? [{ tag: 'p', children: [text] }] : [];
  });
  const attributes = { name: name.slice(0, 100) };
  return { tag: 'unknown', attributes, children: [...said, ...children] };
}

function callout(name: string, title: string | undefined, children: PageNode[]): PageElement {
  const kind = CALLOUTS[name] ?? 'note';
  const shown = title ?? `${name[0]?.toUpperCase() ?? ''}${name.slice(1)}`;
  return { tag: 'callout', attributes: { kind, title: shown }, children };
}

/** `<Aside type="tip">`, `<Admonition type="tip">`. */
function typed(properties: Properties, children: PageNode[]): PageNode[] {
  const name = (properties['type'] ?? 'note').toLowerCase();
  return [callout(Object.hasOwn(CALLOUTS, name) ? name : 'note', properties['title'], children)];
}

function titled(title: string | undefined): { attributes?: Attributes } {
  return title === undefined || title === '' ? {} : { attributes: { title } };
}

function group(_properties: Properties, children: PageNode[]): PageNode[] {
  return [{ tag: 'div', children }];
}

function cards(_properties: Properties, children: PageNode[]): PageNode[] {
  return [{ tag: 'cards', children }];
}

function card({ title, href, description }: Properties, children: PageNode[], links: Links) {
  const attributes = { ...titled(title).attributes, ...(href !== undefined && links.to(href)) };
  const body = description ? [description, ...children] : children;
  return [{ tag: 'card', attributes, children: body } satisfies PageElement];
}

function details(properties: Properties, children: PageNode[], _links: Links, name: string) {
  const [first, ...others] = children;
  const isSummary = typeof first === 'object' && first.attributes?.kind === 'summary';
  const title = properties['title'] ?? (isSummary ? textOfNodes([first]).trim() : undefined);
  const isOpen = (properties['open'] ?? properties['defaultopen'] ?? 'false') !== 'false';
  return [
    {
      tag: 'details',
      attributes: {
        title: title ?? (name === 'details' ? 'Details' : 'More'),
        ...(isOpen && { open: 'true' }),
      },
      children: isSummary ? others : children,
    } satisfies PageElement,
  ];
}

function tab(properties: Properties, children: PageNode[]): PageElement {
  const { title, label, value } = properties;
  return { tag: 'tab', attributes: { title: title ?? label ?? value ?? 'Tab' }, children };
}

/** `items={['A', 'B']}` and `values={[{ label: 'A', value: 'a' }]}` label tabs that say nothing else. */
function tabs(children: PageNode[], { items, values }: Properties): PageElement {
  const own = children.filter(each => typeof each === 'object');
  const labels = labelsIn(items ?? values ?? '');
  return {
    tag: 'tabs',
    children: own.map((each, i) => {
      const title = each.attributes?.title ?? 'Tab';
      const label = labels.get(title) ?? (title === 'Tab' ? [...labels.values()][i] : undefined);
      return label === undefined
        ? each
        : { ...each, attributes: { ...each.attributes, title: label } };
    }),
  };
}

/** Labels by the values of their tabs. */
function labelsIn(code: string): Map<string, string> {
  const members = Array.from(code.matchAll(/\{[^{}]{0,500}\}/g), ([member]) => {
    const [label, value] = ['label', 'value'].map(
      key => new RegExp(`\\b${key}\\s*:\\s*(["'])(.*?)\\1`).exec(member)?.[2],
    );
    return [value ?? label ?? '', label ?? value ?? ''] as const;
  });
  const texts = Array.from(
    code.matchAll(/(["'])(.*?)\1/g),
    ([, , text = '']) => [text, text] as const,
  );
  return new Map(members.length > 0 ? members : texts);
}

/** Each block of code is a tab, with its title or its language. */
function codeTabs(children: PageNode[]): PageElement {
  const blocks = children.filter(each => typeof each === 'object');
  return {
    tag: 'tabs',
    children: blocks.map(block =>
      block.tag === 'tab'
        ? block
        : tab({ title: block.attributes?.title ?? block.attributes?.language ?? 'Code' }, [
            block.tag === 'code-block' ? untitled(block) : block,
          ]),
    ),
  };
}

function untitled(block: PageElement): PageElement {
  const { title: _shown, ...attributes } = block.attributes ?? {};
  return { ...block, attributes };
}

function field(properties: Properties, children: PageNode[]): PageNode[] {
  const place = ['path', 'query', 'body', 'header'].find(each => each in properties);
  const { name, type, required, default: initial } = properties;
  return [
    {
      tag: 'field',
      attributes: {
        name: name ?? (place === undefined ? '' : (properties[place] ?? '')),
        ...(type !== undefined && { type }),
        ...(place !== undefined && { kind: place }),
        ...(required !== undefined && required !== 'false' && { required: 'true' }),
        ...(initial !== undefined && { default: initial }),
      },
      children,
    },
  ];
}

/** The text of nodes, without what draws it. */
export function textOfNodes(nodes: readonly PageNode[]): string {
  return nodes
    .map(node =>
      typeof node === 'string'
        ? node
        : (node.tokens?.map(([, text]) => text).join('') ?? textOfNodes(node.children ?? [])),
    )
    .join('');
}
