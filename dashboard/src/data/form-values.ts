/** A form's field values as the API wants them. */
export class FormValues {
  readonly #data: FormData;
  readonly #before: FormData;
  /** `before`: what the fields had when the form was shown, or saved last. */
  constructor(data: FormData, before = new FormData()) {
    this.#data = data;
    this.#before = before;
  }

  /** Whether a person has changed any of these fields. */
  changed(...names: string[]): boolean {
    return names.some(name => this.#data.get(name) !== this.#before.get(name));
  }

  /** As typed: of a password every character counts. */
  raw(name: string): string {
    const value = this.#data.get(name);
    return typeof value === 'string' ? value : '';
  }

  text(name: string): string {
    return this.raw(name).trim();
  }
  optional(name: string): string | undefined {
    return this.text(name) || undefined;
  }
  /** One item per line, or comma-separated. */
  list(name: string): string[] {
    return this.text(name)
      .split(/[\n,]/)
      .map(item => item.trim())
      .filter(Boolean);
  }
  checked(name: string): boolean {
    return this.raw(name) === 'on';
  }
}
