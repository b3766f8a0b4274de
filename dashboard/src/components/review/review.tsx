import '../../styles/review.css';
import { useState } from 'react';
import type { Diff, FileDiff } from '../../../../api/dashboard/contract/jobs.ts';
import { useHashTarget } from '../../data/hash-target.ts';
import { type Layout, WIDE } from '../diff/layout.ts';
import { Empty } from '../feedback/loaded.tsx';
import { Notice } from '../feedback/notice.tsx';
import { Decision } from './decision.tsx';
import { ReviewBar } from './review-bar.tsx';
import { ReviewFile, type ReviewView } from './review-file.tsx';
import type { ReviewComments } from './review-comments.ts';
import type { ReviewSource } from './review-source.ts';
import { fileAnchor } from '../diff/file-diff.tsx';
import { Icon } from '../text/icons.tsx';
import { useReviewKeys } from './review-keys.ts';

/** So many lines of diffs are drawn in 100 ms; files after them are folded until they are opened. */
const MOST_LINES = 1_500;
const INCOMPLETE = 'The rest of the diff is too long to show here. The branch has all changes.';
const VIEW_KEY = 'docent review view';

/**
 * The changed files of a pull request, as lines or as pages. `review`: the comments for its job;
 * undefined where there is none, or for people outside.
 */
export function Review({
  diff: { files, complete },
  source,
  review,
  mayWrite = false,
}: {
  diff: Diff;
  source: ReviewSource;
  review?: ReviewComments | undefined;
  mayWrite?: boolean;
}) {
  const [layout, setLayout] = useState<Layout>(() =>
    matchMedia(WIDE).matches ? 'split' : 'unified',
  );
  const [wanted, setView] = useView();
  const view = source.pages ? wanted : 'changes';
  const { isViewed, folds, onViewed } = useReviewing(files, source.name);
  if (files.length === 0) return <NoChanges />;
  return (
    <div className={files.length > 1 ? 'review' : undefined}>
      {files.length > 1 && <FileTree files={files} isViewed={isViewed} />}
      <div className="stack-tight">
        <ReviewBar
          {...{ files, view, layout, setLayout }}
          setView={source.pages && setView}
          areOpen={files.some(({ path }) => folds.isOpen(path))}
          setOpen={isOpen =>
            folds.set(
              files.map(({ path }) => path),
              isOpen,
            )
          }
          viewed={files.filter(isViewed).length}
        />
        {review && <Decision {...{ review, mayWrite, files }} />}
        {files.map(file => (
          <ReviewFile
            key={file.path}
            {...{ file, view, layout, source, review, mayWrite }}
            isOpen={folds.isOpen(file.path)}
            setOpen={isOpen => folds.set([file.path], isOpen)}
            isViewed={isViewed(file)}
            onViewed={() => onViewed(file)}
          />
        ))}
        {!complete && <Notice tone="plain">{INCOMPLETE}</Notice>}
      </div>
    </div>
  );
}

function NoChanges() {
  return (
    <div className="card">
      <Empty icon="jobs" title="No changes" />
    </div>
  );
}

/** What is viewed and what is open, by buttons and keys. */
function useReviewing(files: readonly FileDiff[], name: string) {
  const [viewed, toggle] = useViewed(name);
  const isViewed = (file: FileDiff) => viewed.has(markOf(file));
  const folds = useFolds(files, isViewed);
  const onViewed = (file: FileDiff) => {
    if (!isViewed(file)) folds.set([file.path], false);
    toggle(markOf(file));
  };
  useHashTarget(files.length);
  useReviewKeys(files, onViewed);
  return { isViewed, folds, onViewed };
}

/** Which files are open: as many as are drawn at once and are not viewed, until a person says. */
function useFolds(files: readonly FileDiff[], isViewed: (file: FileDiff) => boolean) {
  const [first] = useState(() => {
    let lines = 0;
    return new Set(
      files.flatMap(file => {
        if (isViewed(file)) return [];
        lines += file.lines.length;
        return lines <= MOST_LINES || files.length === 1 ? [file.path] : [];
      }),
    );
  });
  const [said, say] = useState<ReadonlyMap<string, boolean>>(new Map());
  return {
    isOpen: (path: string) => said.get(path) ?? first.has(path),
    set: (paths: readonly string[], isOpen: boolean) =>
      say(old => new Map([...old, ...paths.map(path => [path, isOpen] as const)])),
  };
}

/** A file that changes again is to be viewed again. */
function markOf({ path, additions, deletions, lines }: FileDiff): string {
  let sum = 0;
  for (const character of lines.join('\n')) sum = (sum * 31 + character.charCodeAt(0)) | 0;
  return `${path} ${additions} ${deletions} ${sum}`;
}

function useView(): [ReviewView, (view: ReviewView) => void] {
  const [view, setView] = useState<ReviewView>(() =>
    localStorage.getItem(VIEW_KEY) === 'page' ? 'page' : 'changes',
  );
  return [
    view,
    next => {
      setView(next);
      localStorage.setItem(VIEW_KEY, next);
    },
  ];
}

/** The files of a pull request that this person has marked as viewed, in this browser. */
function useViewed(name: string): [ReadonlySet<string>, (mark: string) => void] {
  const key = `docent viewed ${name}`;
  const [viewed, setViewed] = useState(() => stored(key));
  const toggle = (mark: string) => {
    const next = new Set(viewed);
    if (!next.delete(mark)) next.add(mark);
    setViewed(next);
    try {
      localStorage.setItem(key, JSON.stringify([...next]));
    } catch {
      // The browser's storage is full: the marks last as long as the page.
    }
  };
  return [viewed, toggle];
}

function stored(key: string): ReadonlySet<string> {
  try {
    return new Set(JSON.parse(localStorage.getItem(key) ?? '[]') as string[]);
  } catch {
    return new Set();
  }
}

/** The changed files by folder, with a mark on those that were viewed. */
function FileTree({
  files,
  isViewed,
}: {
  files: readonly FileDiff[];
  isViewed: (file: FileDiff) => boolean;
}) {
  const folders = new Map<string, FileDiff[]>();
  for (const file of files) {
    const folder = file.path.slice(0, file.path.lastIndexOf('/') + 1);
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  return (
    <nav className="file-tree small" aria-label="Changed files">
      <ul>
        {[...folders].map(([folder, inside]) => (
          <li key={folder}>
            {folder !== '' && <p className="faint clip">{folder}</p>}
            <ul>
              {inside.map(file => (
                <li key={file.path}>
                  <a href={`#${fileAnchor(file.path)}`} title={file.path}>
                    <span className="clip">{file.path.slice(folder.length)}</span>
                    {isViewed(file) && (
                      <span className="file-viewed">
                        <Icon name="check" size={14} />
                        <span className="visually-hidden">viewed</span>
                      </span>
                    )}
                  </a>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </nav>
  );
}
