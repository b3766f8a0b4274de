import { type ClipboardEvent, type DragEvent, useRef, useState } from 'react';
import { call } from '../../data/request.ts';

/** As the server allows; it checks again. */
const LARGEST_UPLOAD = 1024 * 1024;
export const MOST_UPLOADS = 5;

/** An image that goes with a text once it is sent. */
export interface AttachedImage {
  key: number;
  name: string;
  /** Once it is uploaded. */
  id?: string;
  problem?: string;
}

/** Images that a person pastes, drops or chooses; each is uploaded at once. */
export function useAttachedImages(projectId: string | undefined) {
  const [images, setImages] = useState<AttachedImage[]>([]);
  const count = useRef(0);
  const change = (key: number, more: Partial<AttachedImage>) =>
    setImages(before => before.map(one => (one.key === key ? { ...one, ...more } : one)));
  const add = (files: readonly File[]) => {
    if (projectId === undefined) return;
    for (const file of files) {
      const key = (count.current += 1);
      setImages(before => [...before, { key, name: file.name }]);
      upload(projectId, file).then(
        id => change(key, { id }),
        (error: unknown) => change(key, { problem: messageOf(error) }),
      );
    }
  };
  const good = images.filter(one => one.problem === undefined);
  return {
    images,
    /** Some are still on their way, or there are too many. */
    isBusy: good.some(one => one.id === undefined) || good.length > MOST_UPLOADS,
    tooMany: good.length > MOST_UPLOADS,
    ids: [...new Set(good.flatMap(one => one.id ?? []))],
    add,
    remove: (key: number) => setImages(before => before.filter(one => one.key !== key)),
    clear: () => setImages([]),
    onPaste: (event: ClipboardEvent) => {
      const files = imagesIn(event.clipboardData);
      if (projectId === undefined || files.length === 0) return;
      event.preventDefault();
      add(files);
    },
    dropTarget: projectId === undefined ? {} : dropTarget(add),
  };
}

export type AttachedImagesState = ReturnType<typeof useAttachedImages>;

function dropTarget(add: (files: File[]) => void) {
  return {
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer.types.includes('Files')) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      const files = imagesIn(event.dataTransfer);
      if (event.dataTransfer.types.includes('Files')) event.preventDefault();
      add(files);
    },
  };
}

function imagesIn({ files }: DataTransfer): File[] {
  return [...files].filter(({ type }) => type.startsWith('image/'));
}

async function upload(projectId: string, file: File): Promise<string> {
  if (file.size > LARGEST_UPLOAD) throw new Error('larger than 1 MiB');
  const { id } = await call('POST /projects/:projectId/uploads', {
    params: { projectId },
    body: { name: shownName(file.name), data: await asBase64(file) },
  });
  return id;
}

function shownName(name: string): string {
  return name.replaceAll(/[\p{Cc}/\\]/gu, '').slice(0, 200) || 'image';
}

function asBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      const url = typeof reader.result === 'string' ? reader.result : '';
      resolve(url.slice(url.indexOf(',') + 1));
    });
    reader.addEventListener('error', () => reject(new Error('it cannot be read')));
    reader.readAsDataURL(file);
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'it was not uploaded';
}
