import { createElement, type FunctionComponent, use } from 'react';

/** The code of a page did not come. `again` resolves once it has. */
export class PageNotLoaded extends Error {
  override readonly name = 'PageNotLoaded';
  readonly again: () => Promise<void>;

  constructor(cause: unknown, again: () => Promise<void>) {
    super('The code of this page could not be loaded. Try again, or reload the window.', { cause });
    this.again = again;
  }
}

/**
 * A page whose code comes when it is first needed, or before. If it does not come, the page says
 * so in its frame: the router's own component would reload the window, and typed text with it.
 */
export function lazyPage(load: () => Promise<FunctionComponent>): FunctionComponent & {
  preload: () => Promise<void>;
} {
  let Page: FunctionComponent | undefined;
  let failure: PageNotLoaded | undefined;
  let loading: Promise<void> | undefined;
  const again = async () => {
    Page = await load();
    failure = undefined;
  };
  // Resolves in either case: the failure is shown when a person opens the page.
  const preload = () => {
    loading ??= again().catch((error: unknown) => {
      failure = new PageNotLoaded(error, again);
    });
    return loading;
  };
  function LazyPage() {
    if (!Page) use(preload());
    if (failure) throw failure;
    return Page ? createElement(Page) : null;
  }
  return Object.assign(LazyPage, { preload });
}
