import { useRef } from 'react';
import { Button } from '../controls/button.tsx';
import { Icon } from '../text/icons.tsx';
import { type AttachedImagesState, MOST_UPLOADS } from './use-attached-images.ts';

const TYPES = 'image/png,image/jpeg,image/gif,image/webp,image/svg+xml';

/** The images that go with the text of a box. */
export function AttachedImages({ images }: { images: AttachedImagesState }) {
  if (images.images.length === 0) return null;
  return (
    <ul className="attached" aria-label="Attached images" aria-live="polite">
      {images.images.map(({ key, name, id, problem }) => (
        <li key={key} className={problem === undefined ? undefined : 'attached-bad'}>
          {name}
          {problem !== undefined && `: ${problem}`}
          {problem === undefined && id === undefined && <span className="spinner" />}
          <button
            type="button"
            className="link"
            aria-label={`Remove ${name}`}
            onClick={() => images.remove(key)}
          >
            <Icon name="cross" size={12} />
          </button>
        </li>
      ))}
      {images.tooMany && (
        <li className="attached-bad">At most {MOST_UPLOADS} images can be sent at once.</li>
      )}
    </ul>
  );
}

/** Opens the browser's choice of files. */
export function AttachButton({ images }: { images: AttachedImagesState }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={TYPES}
        multiple
        hidden
        aria-label="Images to attach"
        onChange={event => {
          images.add([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <Button
        small
        look="quiet"
        title="Attach images: choose, paste or drop them"
        onClick={() => input.current?.click()}
      >
        Attach images
      </Button>
    </>
  );
}
