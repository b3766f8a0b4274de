import { useId } from 'react';
import { RequestError } from '../../data/request.ts';
import { formatNumber, plural } from '../text/format.tsx';
import { readFolder, type Upload } from './read-folder.ts';

/** Chooses a folder of this computer, and shows what of it is sent. */
export function UploadField({
  upload,
  error,
  onChoose,
}: {
  upload: Upload | null;
  /** Of the request. */
  error: Error | null;
  onChoose: (upload: Upload) => void;
}) {
  const id = useId();
  const refused = error instanceof RequestError ? error.fields['source.files'] : undefined;
  const wrong = refused ?? upload?.problem;
  return (
    <div className="field">
      <label htmlFor={id}>Folder</label>
      <input
        id={id}
        type="file"
        required
        className="input"
        aria-invalid={Boolean(wrong)}
        aria-describedby={`${id}-about`}
        {...{ webkitdirectory: '' }}
        onChange={event => {
          void readFolder([...(event.target.files ?? [])]).then(onChoose);
        }}
      />
      <span id={`${id}-about`} className={wrong ? 'wrong' : 'hint'} role="status">
        {wrong ?? (upload ? <Summary upload={upload} /> : ABOUT)}
      </span>
    </div>
  );
}

const ABOUT =
  'Copied to the built-in host, up to 3 MB. For more, use “docent project add”, or import it from ' +
  'an address.';

function Summary({ upload: { files, bytes, pages, leftOut } }: { upload: Upload }) {
  return (
    <>
      {plural(files.length, 'file')} with {plural(pages, 'page')},{' '}
      {formatNumber(Math.ceil(bytes / 1000))} kB
      {leftOut > 0 && `; ${leftOut} left out: dependencies, hidden folders of tools, large files`}
    </>
  );
}
