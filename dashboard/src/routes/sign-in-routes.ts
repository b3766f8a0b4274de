import { createRoute } from '@tanstack/react-router';
import { root } from './root-route.ts';
import { optional, type SearchParams, text } from './search-params.ts';
import { lazyPage } from './lazy-page.ts';

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyPage(async () => (await import('../pages/sign-in/sign-in.tsx')).SignInPage),
  validateSearch: (search: SearchParams) => optional({ next: text(search['next']) }),
});
const signInCallback = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/callback',
  component: lazyPage(
    async () => (await import('../pages/sign-in/sign-in-callback.tsx')).SignInCallbackPage,
  ),
});
const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyPage(async () => (await import('../pages/sign-in/invitation.tsx')).InvitationPage),
});
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyPage(async () => (await import('../pages/sign-in/invitation.tsx')).InvitationPage),
});
const passwordReset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  component: lazyPage(
    async () => (await import('../pages/sign-in/password-reset.tsx')).PasswordResetPage,
  ),
});

export const signInRoutes = [signIn, signInCallback, setup, invitation, passwordReset] as const;
