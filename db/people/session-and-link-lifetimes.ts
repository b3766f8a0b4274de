/** How long sessions, links and sign-ins last. */

/** A session ends when nobody has used it for so many days… */
export const SESSION_IDLE_DAYS = 30;
/** …and after so many in any case. */
export const SESSION_DAYS = 90;

export const INVITATION_HOURS = 7 * 24;
/** The link that makes the first owner. */
export const SETUP_LINK_HOURS = 24;
/** The link that sets a new password. */
export const RESET_LINK_HOURS = 1;

/** Time to sign in at an OpenID Connect provider. */
export const SIGN_ON_MINUTES = 10;
/** Time to choose on GitHub what to connect, and then to choose among what GitHub showed. */
export const GITHUB_CONNECT_MINUTES = 15;
