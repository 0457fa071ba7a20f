/** Server-sent events as they come, in pieces cut anywhere. */
export interface Message {
  event: string;
  data: string;
  id: string | null; // null where none came with it
}

export class Reader {
  private rest = '';
  private event = '';
  private data: string[] = [];
  private id: string | null = null;

  /** The messages that a further piece of text completes. */
  read(text: string): Message[] {
    const lines = (this.rest + text).split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop()!;
    const found: Message[] = [];
    for (const line of lines) {
      if (line === '') {
        if (this.data.length) found.push({ event: this.event || 'message', data: this.data.join('\n'), id: this.id });
        this.event = '';
        this.data = [];
        this.id = null;
        continue;
      }
      const colon = line.indexOf(':');
      const name = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
      if (name === 'event') this.event = value;
      else if (name === 'data') this.data.push(value);
      else if (name === 'id') this.id = value;
    }
    return found;
  }
}
