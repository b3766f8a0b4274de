import type {
  PageElement,
  PageNode,
  TokenKind,
} from '../../../../api/dashboard/contract/page-tree.ts';
import { CopyButton } from '../controls/copy.tsx';

const COLOURED: ReadonlySet<string> = new Set([
  'keyword',
  'string',
  'number',
  'comment',
  'name',
  'meta',
] satisfies TokenKind[]);

/** Code with its colours; compared with an earlier page, with its lines marked. */
export function CodeBlock({ element }: { element: PageElement }) {
  const { attributes = {}, tokens = [], children } = element;
  const { title, language, change } = attributes;
  const label = title ?? (language ? `${language} code` : 'Code');
  return (
    <div className="page-code" data-change={change}>
      {title && <p className="page-code-title">{title}</p>}
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>
          {children
            ? children.map(lines)
            : tokens.map(([kind, text], i) =>
                !COLOURED.has(kind) ? (
                  text
                ) : (
                  <span key={i} className={`token-${kind}`}>
                    {text}
                  </span>
                ),
              )}
        </code>
      </pre>
      {!children && <CopyButton text={tokens.map(([, text]) => text).join('')} what="code" />}
    </div>
  );
}

/** Lines of a compared block: text, or one element around text. */
function lines(node: PageNode, key: number) {
  if (typeof node === 'string') return node;
  const text = (node.children ?? []).filter(each => typeof each === 'string').join('');
  return node.tag === 'ins' ? <ins key={key}>{text}</ins> : <del key={key}>{text}</del>;
}
