import { createHash } from 'node:crypto';

export const STYLE = `
:root {
  color-scheme: light dark;
  --ink: light-dark(#1c2024, #e8eaed);
  --quiet: light-dark(#5a6169, #a0a7b0);
  --paper: light-dark(#fff, #14171a);
  --line: light-dark(#dfe3e8, #30363d);
  --soft: light-dark(#f6f7f9, #1c2024);
  --link: light-dark(#0b57d0, #8ab4f8);
  --add: light-dark(#e6f6ea, #12301d);
  --add-ink: light-dark(#0a5c26, #7ee2a0);
  --del: light-dark(#fdebec, #3a1618);
  --del-ink: light-dark(#a1121f, #ffa3a8);
}
* {
  box-sizing: border-box;
}
body {
  margin: 0;
  background: var(--paper);
  color: var(--ink);
  font:
    16px/1.55 system-ui,
    sans-serif;
}
main {
  max-width: 62rem;
  margin: 0 auto;
  padding: 2rem 1.25rem 4rem;
}
h1 {
  font-size: 1.6rem;
  line-height: 1.25;
  margin: 0 0 0.5rem;
  overflow-wrap: anywhere;
}
h1 .number {
  color: var(--quiet);
  font-weight: 400;
}
h2 {
  font-size: 1.1rem;
  margin: 2.25rem 0 0.75rem;
}
a {
  color: var(--link);
}
code,
pre {
  font:
    0.85rem/1.5 ui-monospace,
    SFMono-Regular,
    Menlo,
    Consolas,
    monospace;
}
.state {
  display: inline-block;
  border-radius: 1rem;
  padding: 0.1rem 0.75rem;
  font-weight: 600;
  color: #fff;
  background: #1a7f37;
}
.state.merged {
  background: #7a3fc4;
}
.state.closed {
  background: #b3261e;
}
.state.draft {
  background: #5a6169;
}
.about,
.quiet,
.counts {
  color: var(--quiet);
}
.about code {
  background: var(--soft);
  border: 1px solid var(--line);
  border-radius: 0.3rem;
  padding: 0.05rem 0.35rem;
}
.body {
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  padding: 0.25rem 1.25rem;
  margin-top: 1.5rem;
  overflow-wrap: anywhere;
}
.body pre {
  background: var(--soft);
  padding: 0.75rem;
  overflow-x: auto;
  border-radius: 0.4rem;
}
.body table {
  border-collapse: collapse;
  display: block;
  overflow-x: auto;
}
.body th,
.body td {
  border: 1px solid var(--line);
  padding: 0.25rem 0.6rem;
  text-align: left;
}
.body blockquote {
  margin-inline: 0;
  padding-left: 1rem;
  border-left: 3px solid var(--line);
  color: var(--quiet);
}
.commits {
  list-style: none;
  padding: 0;
}
.commits li {
  padding: 0.3rem 0;
  border-bottom: 1px solid var(--line);
}
.file {
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  margin: 0 0 1.25rem;
  overflow: hidden;
}
.file h3 {
  margin: 0;
  padding: 0.5rem 0.9rem;
  background: var(--soft);
  border-bottom: 1px solid var(--line);
  font-size: 0.95rem;
  display: flex;
  flex-wrap: wrap;
  gap: 0.75rem;
  justify-content: space-between;
  overflow-wrap: anywhere;
}
.file p {
  padding: 0 0.9rem;
}
.counts {
  font-weight: 400;
}
.plus {
  color: var(--add-ink);
}
.minus {
  color: var(--del-ink);
}
.diff {
  margin: 0;
  overflow-x: auto;
}
.diff code {
  display: inline-block;
  min-width: 100%;
  padding: 0.4rem 0;
}
.diff span {
  display: block;
  padding: 0 0.9rem;
  white-space: pre;
}
.diff .add {
  background: var(--add);
  color: var(--add-ink);
}
.diff .del {
  background: var(--del);
  color: var(--del-ink);
}
.diff .hunk,
.diff .note {
  color: var(--quiet);
  background: var(--soft);
}
:focus-visible {
  outline: 2px solid var(--link);
  outline-offset: 2px;
}
`;

/** Nothing is loaded and nothing runs; the one style element is known by its hash. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
