import { createElement, Fragment, type ReactNode } from 'react';
import type {
  Attributes,
  PageElement,
  PageNode,
  PageTag,
} from '../../../../api/dashboard/contract/page-tree.ts';
import { Callout, Card, Details, Field, Step, Unknown } from './boxes.tsx';
import { CodeBlock } from './code-block.tsx';
import { PageImage, PageLink } from './page-link.tsx';
import { type TabPanel, Tabs } from './tabs.tsx';

/** The nodes of a page. Elements and attributes are those of closed lists; text is only text. */
export function PageTree({ nodes }: { nodes: readonly PageNode[] }) {
  return nodes.map((node, i) =>
    typeof node === 'string' ? (
      <Fragment key={i}>{node}</Fragment>
    ) : (
      <Drawn key={i} element={node} />
    ),
  );
}

function Drawn({ element }: { element: PageElement }) {
  const { tag, attributes = {}, children = [] } = element;
  const inside = <PageTree nodes={children} />;
  const draw = Object.hasOwn(DRAWN, tag) ? DRAWN[tag] : undefined;
  if (draw) return draw(attributes, inside, element);
  const change = attributes.change && { 'data-change': attributes.change };
  if (isHtml(tag))
    return tag === 'br' || tag === 'hr'
      ? createElement(tag)
      : createElement(tag, { ...htmlAttributes(attributes), ...change }, inside);
  return inside;
}

/** What the browser makes elements of; another name shows its children only. */
const HTML = new Set<string>(
  (
    'p div span br hr ul ol li dl dt dd thead tbody tr th td caption blockquote figure figcaption ' +
    'strong em del ins mark code kbd sub sup small abbr'
  ).split(' '),
);

function isHtml(tag: PageTag): boolean {
  return HTML.has(tag);
}

function htmlAttributes({ id, align, start, colspan, rowspan, title }: Attributes) {
  const count = (text: string | undefined) =>
    text !== undefined && /^\d{1,3}$/.test(text) ? Number(text) : undefined;
  const side = (['left', 'right', 'center'] as const).find(each => each === align);
  return {
    ...(id && { id }),
    ...(side && { style: { textAlign: side } }),
    ...(count(start) !== undefined && { start: count(start) }),
    ...(count(colspan) && { colSpan: count(colspan) }),
    ...(count(rowspan) && { rowSpan: count(rowspan) }),
    ...(title && { title }),
  };
}

function panelsOf({ children = [] }: PageElement): TabPanel[] {
  return children
    .filter(node => typeof node === 'object')
    .map((tab, i) => ({
      title: tab.attributes?.title ?? `Tab ${i + 1}`,
      content: <PageTree nodes={tab.tag === 'tab' ? (tab.children ?? []) : [tab]} />,
    }));
}

type Draw = (attributes: Attributes, children: ReactNode, element: PageElement) => ReactNode;

function heading(level: 2 | 3 | 4 | 5 | 6): Draw {
  return ({ id, change }, children) =>
    createElement(
      `h${level}`,
      { id, ...(change && { 'data-change': change }), tabIndex: -1 },
      children,
      id && (
        <a className="anchor" href={`#${encodeURIComponent(id)}`} aria-label="Link to this heading">
          #
        </a>
      ),
    );
}

/** The page's title is the one first-level heading. */
const DRAWN: Readonly<Partial<Record<PageTag, Draw>>> = {
  h1: heading(2),
  h2: heading(2),
  h3: heading(3),
  h4: heading(4),
  h5: heading(5),
  h6: heading(6),
  table: ({ change }, children) => (
    <div className="table-wrap" data-change={change} tabIndex={0} role="region" aria-label="Table">
      <table>{children}</table>
    </div>
  ),
  link: (attributes, children) => <PageLink attributes={attributes}>{children}</PageLink>,
  image: attributes => <PageImage attributes={attributes} />,
  'code-block': (_attributes, _children, element) => <CodeBlock element={element} />,
  'check-box': ({ checked }) => (
    <input type="checkbox" checked={checked === 'true'} readOnly disabled aria-label="Task" />
  ),
  callout: (attributes, children) => <Callout attributes={attributes}>{children}</Callout>,
  card: (attributes, children) => <Card attributes={attributes}>{children}</Card>,
  cards: ({ change }, children) => (
    <div className="page-cards" data-change={change}>
      {children}
    </div>
  ),
  tabs: ({ change }, _children, element) => <Tabs tabs={panelsOf(element)} change={change} />,
  tab: (_attributes, children) => children,
  steps: ({ change }, children) => (
    <div className="page-steps" data-change={change}>
      {children}
    </div>
  ),
  step: (attributes, children) => <Step attributes={attributes}>{children}</Step>,
  details: (attributes, children) => <Details attributes={attributes}>{children}</Details>,
  field: (attributes, children) => <Field attributes={attributes}>{children}</Field>,
  badge: (_attributes, children) => <span className="badge">{children}</span>,
  unknown: (attributes, children) => <Unknown attributes={attributes}>{children}</Unknown>,
};
