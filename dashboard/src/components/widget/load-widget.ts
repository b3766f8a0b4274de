/** What the script offers. */
interface DocentAssistant {
  init(options: object): Promise<unknown>;
  update(options: object): Promise<unknown>;
  destroy(): Promise<unknown>;
}

let script: Promise<DocentAssistant> | undefined;

/** The script that sites load, once. */
export function loadWidget(): Promise<DocentAssistant> {
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
