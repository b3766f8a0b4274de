import type { LinkProps } from '@tanstack/react-router';
import type { IconName } from '../components/text/icons.tsx';

const PROJECT = '/$organization/$domain';
/** The pages of a project; `key` opens one after g. */
export const PROJECT_PAGES = [
  { to: PROJECT, icon: 'overview', name: 'Overview', key: 'o', exact: true },
  { to: `${PROJECT}/jobs`, icon: 'jobs', name: 'Jobs', key: 'j' },
  { to: `${PROJECT}/pulls`, icon: 'pulls', name: 'Pull requests', key: 'p' },
  { to: `${PROJECT}/docs/$`, icon: 'book', name: 'Docs', key: 'd' },
  { to: `${PROJECT}/playground`, icon: 'playground', name: 'Playground', key: 'a' },
  { to: `${PROJECT}/widget`, icon: 'widget', name: 'Widget', key: 'w' },
  { to: `${PROJECT}/questions`, icon: 'questions', name: 'Questions', key: 'q' },
  { to: `${PROJECT}/automations`, icon: 'rewind', name: 'Automations', key: 'u' },
  { to: `${PROJECT}/keys`, icon: 'keys', name: 'API keys', key: 'k' },
  { to: `${PROJECT}/settings`, icon: 'settings', name: 'Settings', key: 's' },
] as const satisfies readonly ListedPage[];

const ORGANIZATION = '/$organization';
export const ORGANIZATION_PAGES = [
  { to: ORGANIZATION, icon: 'projects', name: 'Projects', exact: true },
  { to: `${ORGANIZATION}/-/jobs`, icon: 'jobs', name: 'All jobs' },
  { to: `${ORGANIZATION}/-/members`, icon: 'members', name: 'Members' },
  { to: `${ORGANIZATION}/-/github`, icon: 'plug', name: 'GitHub', ownersOnly: true },
  { to: `${ORGANIZATION}/-/webhooks`, icon: 'link', name: 'Webhooks', ownersOnly: true },
  { to: `${ORGANIZATION}/-/usage`, icon: 'usage', name: 'Usage' },
  { to: `${ORGANIZATION}/-/audit`, icon: 'check', name: 'Audit log', ownersOnly: true },
] as const satisfies readonly ListedPage[];

interface ListedPage {
  to: LinkProps['to'];
  icon: IconName;
  name: string;
  key?: string;
  /** Marked as the current page only at its own address, not below it. */
  exact?: true;
  ownersOnly?: true;
}
