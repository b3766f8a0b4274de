import { useEffect, useState } from 'react';
import { Icon } from '../text/icons.tsx';

/** Copies a text and confirms it for two seconds. `what` names the text for screen readers. */
export function CopyButton({ text, what, label }: { text: string; what: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <button
      type="button"
      className={`button button-small button-quiet copy ${label ? '' : 'button-icon'}`}
      aria-label={copied ? `${what}: copied` : `Copy ${what}`}
      title={copied ? 'Copied' : 'Copy'}
      onClick={() => {
        void copy(text).then(() => setCopied(true));
      }}
    >
      <Icon name={copied ? 'check' : 'copy'} size={15} />
      {label && <span className="copy-label">{copied ? 'Copied' : label}</span>}
      <span className="visually-hidden" role="status">
        {copied ? 'Copied' : ''}
      </span>
    </button>
  );
}

/** The clipboard API needs https or loopback. Otherwise: a selection and the old command. */
async function copy(text: string): Promise<void> {
  if (navigator.clipboard) return await navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

/** An id or short value with its copy button. */
export function Copyable({ text, what }: { text: string; what: string }) {
  return (
    <span className="copyable">
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  );
}

/** Code or a command to paste. */
export function Snippet({ text, what }: { text: string; what: string }) {
  return (
    <div className="snippet">
      <pre tabIndex={0} role="region" aria-label={what}>
        {text}
      </pre>
      <CopyButton text={text} what={what} label="Copy" />
    </div>
  );
}
