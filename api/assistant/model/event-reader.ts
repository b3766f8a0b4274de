/** Reads server-sent events as they come in, in pieces cut anywhere. */
export class EventReader {
  #line = '';
  #data: string[] = [];

  /** The data of the events that a piece completes. */
  read(piece: string): string[] {
    const complete: string[] = [];
    const lines = (this.#line + piece).split('\n');
    this.#line = lines.pop() ?? '';
    for (const line of lines) {
      const text = line.endsWith('\r') ? line.slice(0, -1) : line;
      if (text.startsWith('data:')) this.#data.push(text.slice(text.startsWith('data: ') ? 6 : 5));
      if (text !== '' || this.#data.length === 0) continue;
      complete.push(this.#data.join('\n'));
      this.#data = [];
    }
    return complete;
  }
}
