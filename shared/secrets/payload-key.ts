/** The metadata of a payload that says by which key it is encrypted. */
export const KEY_ID = 'docent-key-id';
