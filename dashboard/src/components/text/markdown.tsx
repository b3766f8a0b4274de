import { lazy, Suspense } from 'react';

const Rendered = lazy(async () => ({
  default: (await import('./markdown-rendered.tsx')).MarkdownRendered,
}));

/**
 * Untrusted Markdown: it can load nothing and run nothing. Its words are there before the parser
 * is.
 */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="prose">
      <Suspense fallback={<p className="pre-line">{text}</p>}>
        <Rendered text={text} />
      </Suspense>
    </div>
  );
}
