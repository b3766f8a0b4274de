import type { FileDiff } from '../../../../api/dashboard/contract/jobs.ts';
import { fileAnchor } from '../diff/file-diff.tsx';
import { Icon } from '../text/icons.tsx';

/** The changed files by folder, with a mark on those that were viewed. */
export function FileTree({
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
