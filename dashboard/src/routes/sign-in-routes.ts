import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from './root-route.ts';
import { optional, type SearchParams, text } from './search-params.ts';

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('../pages/sign-in/sign-in.tsx'), 'SignInPage'),
  validateSearch: (search: SearchParams) => optional({ next: text(search['next']) }),
});
const signInCallback = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/callback',
  component: lazyRouteComponent(
    () => import('../pages/sign-in/sign-in-callback.tsx'),
    'SignInCallbackPage',
  ),
});
const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyRouteComponent(() => import('../pages/sign-in/invitation.tsx'), 'InvitationPage'),
});
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('../pages/sign-in/invitation.tsx'), 'InvitationPage'),
});
const passwordReset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  component: lazyRouteComponent(
    () => import('../pages/sign-in/password-reset.tsx'),
    'PasswordResetPage',
  ),
});

export const signInRoutes = [signIn, signInCallback, setup, invitation, passwordReset] as const;
