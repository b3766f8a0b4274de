import { useEffect, useRef } from 'react';
import { useSession } from '../../data/place.ts';
import { urlOf } from '../../data/request.ts';
import type { WidgetOptions } from './widget-options.tsx';

interface DocentAssistant {
  init(options: object): Promise<unknown>;
  update(options: object): Promise<unknown>;
  destroy(): Promise<unknown>;
}

const AFTER_MS = 300;
let script: Promise<DocentAssistant> | undefined;

/** The script that sites load, once. */
function loadScript(): Promise<DocentAssistant> {
  script ??= new Promise((resolve, reject) => {
    const tag = document.createElement('script');
    tag.src = '/widget.js';
    tag.addEventListener('load', () =>
      resolve((window as unknown as { DocentAssistant: DocentAssistant }).DocentAssistant),
    );
    tag.addEventListener('error', () => {
      script = undefined; // the next one tries again
      reject(new Error('The widget was not loaded.'));
    });
    document.head.append(tag);
  });
  return script;
}

/** The widget itself in a box, which asks as the playground does: a key works on its own site. */
export function WidgetPreview({
  projectId,
  domain,
  options,
}: {
  projectId: string;
  domain: string;
  options: WidgetOptions;
}) {
  const { user } = useSession();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => {
      const named = Object.entries(options).filter(([name]) => name !== 'data-key');
      const given = {
        ...Object.fromEntries(named.map(([name, value]) => [camelCase(name), value || undefined])),
        domain,
        fp: user.id, // names what this browser stores
        addresses: {
          message: urlOf('POST /projects/:projectId/assistant', { params: { projectId } }),
        },
        container: box.current,
      };
      loadScript()
        .then(assistant => (box.current?.isConnected ? assistant.update(given) : undefined))
        .catch((error: unknown) => console.error(error));
    }, AFTER_MS);
    return () => clearTimeout(timer);
  }, [projectId, domain, options, user.id]);
  useEffect(() => () => void script?.then(assistant => assistant.destroy()), []);
  return <div ref={box} className="widget-preview" role="group" aria-label="Preview" />;
}

/** As the browser names it in `dataset`. */
function camelCase(name: string): string {
  return name
    .slice('data-'.length)
    .replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
