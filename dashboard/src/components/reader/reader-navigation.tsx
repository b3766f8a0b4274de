import { useRef } from 'react';
import type { NavigationEntry } from '../../../../api/dashboard/contract/site.ts';
import { PageLink } from './page-link.tsx';
import { useSite } from './site-source.ts';

interface Level {
  title: string;
  entries: NavigationEntry[];
  levels: Level[];
}

/** The site's navigation as nested lists; on a small screen it unfolds. */
export function ReaderNavigation({
  entries,
  current,
}: {
  entries: readonly NavigationEntry[];
  current: string;
}) {
  const fold = useRef<HTMLDetailsElement>(null);
  const root = levelsOf(entries);
  const list = (
    <div
      onClick={event => {
        if (fold.current?.open && (event.target as Element).closest('a')) fold.current.open = false;
      }}
    >
      <LevelList level={root} current={current} />
    </div>
  );
  return (
    <>
      <nav className="reader-navigation" aria-label="Pages of the docs">
        {list}
      </nav>
      <details className="reader-fold card" ref={fold}>
        <summary>Pages of the docs</summary>
        <nav aria-label="Pages of the docs">{list}</nav>
      </details>
    </>
  );
}

function LevelList({ level, current }: { level: Level; current: string }) {
  const site = useSite();
  return (
    <ul>
      {level.entries.map(({ title, path, href }, i) => (
        <li key={`${path ?? href} ${i}`}>
          {path === null ? (
            <PageLink attributes={href === null ? {} : { href }}>{title}</PageLink>
          ) : (
            <a
              href={site.address(path)}
              aria-current={path === current ? 'page' : undefined}
              onClick={event => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                event.preventDefault();
                site.go(path);
              }}
            >
              {title}
            </a>
          )}
        </li>
      ))}
      {level.levels.map(each => (
        <li key={each.title}>
          <Fold level={each} current={current} />
        </li>
      ))}
    </ul>
  );
}

/** Levels around the current page are open; so is a level on top with few pages. */
function Fold({ level, current }: { level: Level; current: string }) {
  const isOpen = contains(level, current);
  return (
    <details open={isOpen} key={String(isOpen)}>
      <summary>{level.title}</summary>
      <LevelList level={level} current={current} />
    </details>
  );
}

function contains(level: Level, path: string): boolean {
  return (
    level.entries.some(entry => entry.path === path) ||
    level.levels.some(each => contains(each, path))
  );
}

function levelsOf(entries: readonly NavigationEntry[]): Level {
  const root: Level = { title: '', entries: [], levels: [] };
  for (const entry of entries) {
    let level = root;
    for (const title of entry.crumbs) {
      let next = level.levels.find(each => each.title === title);
      if (!next) {
        next = { title, entries: [], levels: [] };
        level.levels.push(next);
      }
      level = next;
    }
    level.entries.push(entry);
  }
  return root;
}
