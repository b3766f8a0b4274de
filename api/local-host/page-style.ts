import { serverPage } from '../server-page.ts';

/** A pull request for everyone who has the link, in the dashboard's design. */
export const PAGE = serverPage(`
main {
  max-width: 90rem;
  margin: 0 auto;
  padding: 1.6rem clamp(1rem, 3.5vw, 2.75rem) 4rem;
}
h1 {
  margin: 0 0 0.4rem;
  font-size: 1.375rem;
  overflow-wrap: anywhere;
}
h2 {
  margin: 0 0 0.75rem;
  font-size: 1rem;
}
section[aria-labelledby='changes'] {
  margin-top: 2rem;
}
.quiet, .counts {
  color: var(--faint);
}
:not(pre) > code {
  padding: 0.1em 0.35em;
  border-radius: 4px;
  background: var(--sunken);
  overflow-wrap: anywhere;
}
.state {
  display: inline-block;
  padding: 0.05rem 0.5rem;
  border-radius: 99px;
  background: var(--sunken);
  color: var(--soft);
  font-size: 0.75rem;
  font-weight: 500;
  line-height: 1.5rem;
  letter-spacing: 0;
  vertical-align: middle;
}
.state.open {
  background: var(--good-wash);
  color: var(--good);
}
.state.merged {
  background: var(--merged-wash);
  color: var(--merged);
}
.state.closed {
  background: var(--bad-wash);
  color: var(--bad);
}
.card {
  border: 1px solid var(--line);
  border-radius: 8px;
  background: var(--surface);
}
.about {
  display: grid;
  grid-template-columns: minmax(0, 1fr) minmax(0, 22rem);
  gap: 1.25rem;
  align-items: start;
  margin-top: 1.5rem;
}
.about .card {
  padding: 1rem 1.25rem;
}
.body {
  overflow-wrap: anywhere;
}
.body > :first-child {
  margin-top: 0;
}
.body > :last-child {
  margin-bottom: 0;
}
.body pre {
  padding: 0.75rem;
  border-radius: 6px;
  background: var(--sunken);
  overflow-x: auto;
}
.body table {
  display: block;
  border-collapse: collapse;
  overflow-x: auto;
}
.body th, .body td {
  padding: 0.25rem 0.6rem;
  border: 1px solid var(--line);
  text-align: left;
}
.body blockquote {
  margin-inline: 0;
  padding-left: 1rem;
  border-left: 3px solid var(--line);
  color: var(--soft);
}
.commits {
  margin: 0;
  padding: 0;
  list-style: none;
  font-size: 0.8125rem;
}
.commits li + li {
  margin-top: 0.6rem;
}
.review {
  display: grid;
  grid-template-columns: 14rem minmax(0, 1fr);
  gap: 1.5rem;
  align-items: start;
}
.review nav {
  position: sticky;
  top: 1rem;
  max-height: calc(100vh - 2rem);
  overflow-y: auto;
}
.review nav ul {
  margin: 0;
  padding: 0;
  list-style: none;
  font-size: 0.8125rem;
}
.review nav a {
  display: block;
  padding: 0.15rem 0.4rem;
  color: var(--soft);
  text-decoration: none;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
}
.file {
  margin-bottom: 0.5rem;
  overflow: clip;
}
.file > summary {
  padding: 0.5rem 1rem;
  cursor: pointer;
  overflow-wrap: anywhere;
}
.file > summary code {
  padding: 0;
  background: none;
  font-weight: 500;
}
.file[open] > summary {
  border-bottom: 1px solid var(--line);
}
.file > p {
  padding: 0 1rem;
}
.plus {
  color: var(--good);
}
.minus {
  color: var(--bad);
}
.scroll {
  overflow-x: auto;
}
.diff {
  width: 100%;
  border-collapse: collapse;
  font: 0.75rem/1.65 var(--mono);
}
.diff td {
  padding: 0;
  vertical-align: top;
}
.diff .n {
  width: 1%;
  min-width: 2.6rem;
  padding: 0 0.5rem;
  color: var(--faint);
  text-align: right;
  user-select: none;
}
.diff .code {
  padding: 0 0.75rem;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}
.diff .added {
  background: var(--added);
}
.diff .removed {
  background: var(--removed);
}
.diff .added .n {
  color: var(--good);
}
.diff .removed .n {
  color: var(--bad);
}
.diff .hunk td {
  padding: 0.2rem 0.75rem;
  background: var(--sunken);
  color: var(--faint);
  overflow-wrap: anywhere;
}
@media (max-width: 64rem) {
  .about, .review {
    grid-template-columns: minmax(0, 1fr);
  }
  .review nav {
    display: none;
  }
}
`);
