import { type PageElement, TOKEN_KINDS } from '../../../../shared/dashboard/page-tree.ts';
import { CopyButton } from '../controls/copy.tsx';
import { PageTree } from './page-tree.tsx';

const KINDS: ReadonlySet<string> = new Set(TOKEN_KINDS);

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
          {children ? (
            <PageTree nodes={children} />
          ) : (
            tokens.map(([kind, text], i) =>
              kind === 'plain' || !KINDS.has(kind) ? (
                text
              ) : (
                <span key={i} className={`token-${kind}`}>
                  {text}
                </span>
              ),
            )
          )}
        </code>
      </pre>
      {!children && <CopyButton text={tokens.map(([, text]) => text).join('')} what="code" />}
    </div>
  );
}
