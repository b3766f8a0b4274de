/** Whether an error means that the caller left before its request or response was whole. */
export function isDeparture(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  // Node's words for a request that ends early; a server that resets us is a "read ECONNRESET".
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || (code === 'ECONNRESET' && message === 'aborted');
}
