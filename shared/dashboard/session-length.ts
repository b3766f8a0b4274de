/** A session ends after this many days without use. */
export const SESSION_IDLE_DAYS = 30;
/** A session ends after this many days in any case. */
export const SESSION_MAX_DAYS = 90;
