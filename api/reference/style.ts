import { serverPage } from '../server-page.ts';

/** The API reference in the dashboard's design. */
export const PAGE = serverPage(`
.layout {
  display: grid;
  grid-template-columns: minmax(0, 18rem) minmax(0, 1fr);
  max-width: 82rem;
  margin: 0 auto;
}
nav {
  position: sticky;
  top: 0;
  max-height: 100vh;
  overflow-y: auto;
  padding: 2rem 1.25rem;
  font-size: 0.875rem;
}
nav ul {
  list-style: none;
  margin: 0 0 1.25rem;
  padding: 0;
}
nav li a {
  display: block;
  padding: 0.3rem 0;
  text-decoration: none;
  overflow-wrap: anywhere;
}
nav li a:hover {
  text-decoration: underline;
}
nav h2 {
  font-size: 0.875rem;
  margin: 0 0 0.25rem;
  color: var(--soft);
}
main {
  padding: 2rem 1.25rem 5rem;
}
h1 {
  margin: 0 0 0.5rem;
  font-size: 1.75rem;
}
h2 {
  margin: 3rem 0 0.5rem;
}
article {
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: 8px;
  margin: 1.25rem 0;
  padding: 1rem 1.25rem;
}
article h3 {
  margin: 0;
}
article h4 {
  margin: 1.25rem 0 0.5rem;
}
.address {
  font-family: var(--mono);
  font-size: 0.875rem;
  overflow-wrap: anywhere;
}
.method {
  font-weight: 700;
  color: var(--good);
}
.old,
.must {
  color: var(--warn);
  font-size: 0.8125rem;
}
.type,
.quiet {
  color: var(--soft);
}
.wide {
  overflow-x: auto;
}
table {
  border-collapse: collapse;
  width: 100%;
  font-size: 0.875rem;
}
th,
td {
  text-align: left;
  vertical-align: top;
  padding: 0.4rem 0.75rem 0.4rem 0;
  border-bottom: 1px solid var(--line);
}
code,
pre {
  font-family: var(--mono);
  font-size: 0.8125rem;
}
pre {
  background: var(--sunken);
  border-radius: 6px;
  padding: 0.75rem;
  overflow-x: auto;
  margin: 0;
}
@media (max-width: 50rem) {
  .layout {
    grid-template-columns: minmax(0, 1fr);
  }
  nav {
    position: static;
    max-height: 16rem;
    padding-block: 1rem;
    border-bottom: 1px solid var(--line);
  }
}
`);
