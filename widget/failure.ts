/** Why a request failed; `status` 0: there was no answer. */
export class Failure extends Error {
  override readonly name = 'DocentFailure';
  readonly code: string;
  readonly status: number;

  constructor(code: string, status: number, sentence: string) {
    super(sentence);
    this.code = code;
    this.status = status;
  }

  get retryable(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}
