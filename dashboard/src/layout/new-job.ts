import type { UseNavigateResult } from '@tanstack/react-router';

/** The jobs page, with the focus on the instruction. */
export async function newJob(
  navigate: UseNavigateResult<string>,
  params: { organization: string; domain: string },
): Promise<void> {
  await navigate({ to: '/$organization/$domain/jobs', params });
  // After the page has put the focus on its title.
  setTimeout(() => document.querySelector<HTMLElement>('main textarea')?.focus(), 50);
}
