import type { UIMessage } from 'ai';
import { Icon } from '../text/icons.tsx';
import { Markdown } from '../text/markdown.tsx';
import { SourceLink } from './source-link.tsx';

/** A message of the chat SDK: text, searches with their results, sources. */
export function ChatMessage({ message, streaming }: { message: UIMessage; streaming: boolean }) {
  const sources = message.parts.filter(part => part.type === 'source-url');
  if (message.role === 'user')
    return (
      <li className="asked">
        <div className="bubble">
          <p>{message.parts.map(part => (part.type === 'text' ? part.text : '')).join('')}</p>
        </div>
      </li>
    );
  return (
    <li className="said">
      {message.parts.map((part, i) => {
        if (part.type === 'text') return <Markdown key={i} text={part.text} />;
        if (part.type === 'tool-search')
          return <Search key={i} input={part.input} output={part.output} />;
        return null;
      })}
      {streaming && <span className="caret" />}
      {sources.length > 0 && (
        <ul className="row sources" aria-label="Sources">
          {sources.map(source => (
            <li key={source.sourceId}>
              <SourceLink url={source.url} title={source.title ?? source.url} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

interface Found {
  results?: { path: string; content: string; metadata: { title: string } }[];
}

function Search({ input, output }: { input: unknown; output: unknown }) {
  const query = (input as { query?: string } | undefined)?.query;
  const results = (output as Found | undefined)?.results;
  return (
    <details className="search-call">
      <summary>
        <Icon name="tool" size={14} /> Searched{query && <> for “{query}”</>}
        {results && <span className="faint"> · {results.length} found</span>}
      </summary>
      <ul>
        {results?.map((result, i) => (
          <li key={i}>
            <strong>{result.metadata.title}</strong> <code className="small">{result.path}</code>
            <p className="small soft">
              {result.content.slice(0, 240)}
              {result.content.length > 240 && '…'}
            </p>
          </li>
        ))}
      </ul>
    </details>
  );
}
