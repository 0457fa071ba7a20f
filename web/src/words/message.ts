/** Messages as i18n/README.md defines them: a small subset of ICU MessageFormat.
 * The same grammar is read in Go by i18n/message.go; vectors.json holds both to it. */

/** A stretch of text, the number of the plural around it, a slot to be filled,
 * or a choice of messages. */
export type Part =
  | { text: string }
  | { number: true }
  | { arg: string; kind: string[] } // "plain", "seat", "list", "word", "bosk.tile", …
  | { arg: string; plural: boolean; branches: Map<string, Message> };

export type Message = Part[];

/** Reads a message, or throws an error that says where it is malformed. */
export function parse(source: string): Message {
  const reader = new Reader(source);
  const message = reader.message(false);
  if (reader.at < source.length) reader.fail('a } without its {');
  return message;
}

class Reader {
  at = 0;
  constructor(private readonly source: string) {}

  fail(what: string): never {
    throw new Error(`${what} at character ${[...this.source.slice(0, this.at)].length} of ${JSON.stringify(this.source)}`);
  }

  /** Reads up to the } that closes it, which it leaves, or to the end. */
  message(inPlural: boolean): Message {
    const message: Message = [];
    let text = '';
    const flush = () => {
      if (text) message.push({ text });
      text = '';
    };
    for (let c = this.source[this.at]; c !== undefined && c !== '}'; c = this.source[this.at]) {
      if (/^'[{}#]'/.test(this.source.slice(this.at, this.at + 3))) {
        text += this.source[this.at + 1];
        this.at += 3;
      } else if (c === '{') {
        flush();
        message.push(this.slot(inPlural));
      } else if (c === '#' && inPlural) {
        flush();
        message.push({ number: true });
        this.at++;
      } else {
        text += c;
        this.at++;
      }
    }
    flush();
    return message;
  }

  private slot(inPlural: boolean): Part {
    this.take('{');
    const arg = this.name();
    if (this.next() === '}') {
      this.take('}');
      return { arg, kind: ['plain'] };
    }
    this.take(',');
    let part: Part;
    const kind = this.name();
    if (kind === 'plural' || kind === 'select') {
      this.take(',');
      part = { arg, plural: kind === 'plural', branches: this.branches(kind === 'plural', inPlural) };
    } else if (kind === 'list') {
      part = { arg, kind: ['list'] };
      if (this.next() === ',') {
        this.take(',');
        part.kind.push(...this.plain(this.name()));
      }
    } else {
      part = { arg, kind: this.plain(kind) };
    }
    this.take('}');
    return part;
  }

  /** Reads the rest of a kind that is neither a choice nor a list. */
  private plain(kind: string): string[] {
    if (['seat', 'square', 'crossing', 'signed'].includes(kind)) return [kind];
    if (kind !== 'word' && kind !== 'tally') this.fail(`no such kind as ${kind}`);
    this.take(',');
    return [kind, this.name('.-')];
  }

  private branches(plural: boolean, inPlural: boolean): Map<string, Message> {
    const branches = new Map<string, Message>();
    while (this.next() !== '}') {
      const selector = this.selector(plural);
      if (branches.has(selector)) this.fail(`a second ${selector}`);
      this.take('{');
      branches.set(selector, this.message(plural || inPlural));
      this.take('}');
    }
    if (!branches.has('other')) this.fail('no branch for other');
    return branches;
  }

  private selector(plural: boolean): string {
    if (!plural) return this.name('.-');
    if (this.next() === '=') {
      this.take('=');
      const number = this.name();
      if (!/^\d+$/.test(number)) this.fail('no number after =');
      return '=' + number;
    }
    const name = this.name();
    if (name !== 'one' && name !== 'other') this.fail(`no such plural as ${name}`);
    return name;
  }

  /** What comes after spaces, undefined at the end. */
  private next(): string | undefined {
    while (this.source[this.at] === ' ') this.at++;
    return this.source[this.at];
  }

  private take(want: string) {
    if (this.next() !== want) this.fail(`no ${want}`);
    this.at++;
  }

  private name(also = ''): string {
    this.next();
    const begin = this.at;
    while (this.at < this.source.length && (/\w/.test(this.source[this.at]) || also.includes(this.source[this.at]))) this.at++;
    if (this.at === begin) this.fail('no name');
    return this.source.slice(begin, this.at);
  }
}
