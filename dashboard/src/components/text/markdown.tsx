import { lazy, memo, Suspense } from 'react';

const Rendered = lazy(async () => ({
  default: (await import('./markdown-rendered.tsx')).MarkdownRendered,
}));

/** Untrusted Markdown: it loads and runs nothing. Plain text until the parser is loaded. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return (
    <div className="prose">
      <Suspense fallback={<p className="pre-line">{text}</p>}>
        <Rendered text={text} />
      </Suspense>
    </div>
  );
});
