import ReactMarkdown, { type Components } from 'react-markdown';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';

const components: Components = {
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  // Loading an image would show its host who reads this, and when.
  img: ({ src, alt }) => (
    <SafeLink href={typeof src === 'string' ? src : undefined}>{alt || 'image'}</SafeLink>
  ),
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
  code: ({ className, children }) =>
    className === 'language-suggestions' && typeof children === 'string' ? (
      <Suggestions text={children} />
    ) : (
      <code>{children}</code>
    ),
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h3>{children}</h3>,
  h3: ({ children }) => <h4>{children}</h4>,
  table: ({ children }) => (
    <div className="table-wrap" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
};

export function MarkdownRendered({ text }: { text: string }) {
  return (
    <ReactMarkdown
      remarkPlugins={[remarkGfm]}
      rehypePlugins={[rehypeSanitize]}
      components={components}
    >
      {text}
    </ReactMarkdown>
  );
}

/** A link to another site. A relative path is plain text: it would open a dashboard page. */
function SafeLink({ href, children }: { href: string | undefined; children: React.ReactNode }) {
  return href && /^(https?:|mailto:)/i.test(href) ? (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  ) : (
    <span title={href}>{children}</span>
  );
}

/** Lines `(text)[/path]`: pages that the assistant suggests. */
function Suggestions({ text }: { text: string }) {
  const lines = [...text.matchAll(/^\((.*)\)\[(.*)\]$/gm)];
  return (
    <span className="suggestions">
      See also:{' '}
      {lines.map(([, title, path], i) => (
        <span key={path} title={path}>
          {i > 0 && ', '}
          {title}
        </span>
      ))}
    </span>
  );
}
