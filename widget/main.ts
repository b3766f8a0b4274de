import { parseOptions, type RawOptions } from './options.ts';
import { Widget } from './widget.ts';

/** The one widget of the page, and the options that it was made of. */
let widget: Promise<Widget> | undefined;
let given: RawOptions = {};
/** Updates come one after the other. */
let updating: Promise<unknown> = Promise.resolve();
let hasFollowed = false;

/** What the page's scripts can call; each returns a promise. */
const assistant = {
  /** Starts the widget; a second call returns the first one's promise. */
  init(options: RawOptions = {}): Promise<Widget> {
    if (widget) return widget;
    given = { ...ofTag, ...options };
    const mine = begin(given).catch((error: unknown) => {
      if (widget === mine) widget = undefined; // not one that was begun meanwhile
      console.error(`[docent] ${error instanceof Error ? error.message : String(error)}`);
      throw error;
    });
    widget = mine;
    const follow = (begun: Widget) => (widget === mine ? followDeepLink(begun) : undefined);
    if (given['key']) mine.then(follow, () => undefined); // said on the console
    return mine;
  },
  async open(): Promise<void> {
    (await started()).open();
  },
  async close(): Promise<void> {
    (await started()).close();
  },
  async ask(question: string): Promise<void> {
    await (await started()).ask(question);
  },
  async reset(): Promise<void> {
    (await started()).reset();
  },
  /** Starts again with some options changed; the conversation stays, and an open dialog. */
  update(options: RawOptions): Promise<void> {
    const updated = updating.then(() => restart(options));
    updating = updated.catch(() => undefined);
    return updated;
  },
  async destroy(): Promise<void> {
    const old = widget;
    widget = undefined;
    (await old?.catch(() => undefined))?.destroy();
  },
};

/** The tag's attributes, and where the script came from. */
const ofTag: RawOptions = readTag();

function readTag(): RawOptions {
  const tag = document.currentScript;
  if (!(tag instanceof HTMLScriptElement)) return {};
  // The folder of the script, which a path of the site's own may lead to.
  return { server: tag.src ? new URL('.', tag.src).href : location.origin, ...tag.dataset };
}

async function restart(options: RawOptions): Promise<void> {
  const wasOpen = (await widget?.catch(() => undefined))?.isOpen;
  await assistant.destroy();
  const next = await assistant.init({ ...given, ...options });
  if (wasOpen) next.open(false);
}

async function begin(options: RawOptions): Promise<Widget> {
  if (document.readyState === 'loading')
    await new Promise(done => document.addEventListener('DOMContentLoaded', done, { once: true }));
  return Widget.start(parseOptions(options));
}

async function started(): Promise<Widget> {
  if (!widget) throw new Error('Call DocentAssistant.init first.');
  return widget;
}

/** `?assistant=<question>` opens the dialog and asks; a reload does not ask again. */
async function followDeepLink(begun: Widget): Promise<void> {
  if (hasFollowed) return;
  hasFollowed = true;
  const url = new URL(location.href);
  const question = url.searchParams.get('assistant');
  if (question === null) return;
  url.searchParams.delete('assistant');
  history.replaceState(history.state, '', url);
  begun.open();
  await begun.ask(question);
}

declare global {
  interface Window {
    DocentAssistant?: typeof assistant;
  }
}

// A router that runs the tag again changes nothing.
if (!window.DocentAssistant) {
  window.DocentAssistant = assistant;
  if (ofTag['key']) assistant.init().catch(() => undefined); // said on the console
}
