/** The metadata by which an encrypted payload is known, also in the sandbox of workflows. */
export const SEALED = 'docent-sealed';
