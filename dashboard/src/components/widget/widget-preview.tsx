import { useEffect, useRef } from 'react';
import { useSession } from '../../data/place.ts';
import { urlOf } from '../../data/request.ts';
import { loadWidget } from './load-widget.ts';
import type { WidgetOptions } from './widget-options.tsx';

const AFTER_MS = 300;
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
      loadWidget()
        .then(assistant => (box.current?.isConnected ? assistant.update(given) : undefined))
        .catch((error: unknown) => console.error(error));
    }, AFTER_MS);
    return () => clearTimeout(timer);
  }, [projectId, domain, options, user.id]);
  useEffect(() => () => void loadWidget().then(assistant => assistant.destroy()), []);
  return <div ref={box} className="widget-preview" role="group" aria-label="Preview" />;
}

/** As the browser names it in `dataset`. */
function camelCase(name: string): string {
  return name
    .slice('data-'.length)
    .replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
