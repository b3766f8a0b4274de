/** Bytes of an image that a person may attach: a job could not publish a larger one. */
export const LARGEST_UPLOAD = 1024 * 1024;
/** Of one instruction: a job sends them to its model with every step. */
export const MOST_UPLOADS = 5;
export const LARGEST_UPLOADS = 3 * 1024 * 1024;
