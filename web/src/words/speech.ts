import { parse, type Message, type Part } from './message.ts';

/** Arguments of a message, as they come out of JSON. */
export type Args = Record<string, unknown>;

export type Tag = 'en' | 'fr' | 'it';

export const tags: readonly Tag[] = ['en', 'fr', 'it'];

interface Habits {
  and: string;
  decimal: string;
  one: (n: number) => boolean;
}

const habits: Record<Tag, Habits> = {
  en: { and: ' and ', decimal: '.', one: (n) => n === 1 },
  fr: { and: ' et ', decimal: ',', one: (n) => n < 2 },
  it: { and: ' e ', decimal: ',', one: (n) => n === 1 },
};

/** Locale is a language with its messages, parsed when they are first said.
 * i18n/README.md says how values are shown; i18n/speech.go does the same. */
export class Locale {
  private readonly parsed = new Map<string, Message>();

  constructor(
    readonly tag: Tag,
    private readonly messages: Record<string, string>,
  ) {}

  has(key: string): boolean {
    return Object.hasOwn(this.messages, key);
  }

  /** The message of a key, filled; the key itself with its arguments where
   * there is none. */
  say(key: string, args: Args = {}, names: readonly string[] = []): string {
    const message = this.message(key);
    if (!message) return Object.keys(args).length ? `${key} ${sortedJSON(args)}` : key;
    return new Speech(this, args, names).say(message);
  }

  message(key: string): Message | undefined {
    if (!this.has(key)) return undefined;
    let message = this.parsed.get(key);
    if (!message) this.parsed.set(key, (message = parse(this.messages[key])));
    return message;
  }
}

/** The first piece of a text such as "fr-CH,en" that is a language of ours. */
export function pick(wanted: string): Tag {
  for (const piece of wanted.split(/[:,]/)) {
    const tag = piece.split(/[_\-.@;]/)[0].trim().toLowerCase() as Tag;
    if (tags.includes(tag)) return tag;
  }
  return 'en';
}

/** One message on its way to becoming a sentence. */
class Speech {
  private number = ''; // of the innermost plural, for #

  constructor(
    private readonly locale: Locale,
    private readonly args: Args,
    private readonly names: readonly string[],
    private readonly inner = false, // it is said of an item of a tally, and tallies nothing itself
  ) {}

  say(message: Message): string {
    return message.map((part) => ('text' in part ? part.text : 'number' in part ? this.number : this.fill(part))).join('');
  }

  private fill(part: Exclude<Part, { text: string } | { number: true }>): string {
    const there = Object.hasOwn(this.args, part.arg);
    const value = there ? this.args[part.arg] : undefined;
    if ('kind' in part) return there ? this.show(value, part.kind) : `{${part.arg}}`;
    const selectors = part.plural ? this.countOf(value) : choiceOf(value);
    const branch = part.branches.get([...selectors, 'other'].find((s) => part.branches.has(s))!)!;
    if (!part.plural) return this.say(branch);
    const outer = this.number;
    this.number = there ? this.plain(value) : `{${part.arg}}`;
    const said = this.say(branch);
    this.number = outer;
    return said;
  }

  /** How a plural may select a value, best first. */
  private countOf(value: unknown): string[] {
    if (typeof value !== 'number') return [];
    const list = Number.isInteger(value) && value >= 0 ? [`=${digits(value)}`] : [];
    if (habits[this.locale.tag].one(Math.abs(value))) list.push('one');
    return list;
  }

  /** A value in the way of a kind; what does not fit its kind is shown plainly. */
  private show(value: unknown, kind: string[]): string {
    switch (kind[0]) {
      case 'list':
        return this.list(value, kind.slice(1));
      case 'tally':
        return this.tally(value, kind[1]);
      case 'word':
        if (typeof value === 'string') return this.word(kind[1], value);
        break;
      case 'seat':
        if (Number.isInteger(value) && Math.abs(value as number) <= 0x7fffffff) {
          return this.names[value as number] || '#' + this.plain((value as number) + 1);
        }
        break;
      case 'square':
        if (isPair(value)) {
          const [row, column] = value;
          if (row < 0 || column < 0 || column > 25) return this.outside(value);
          return String.fromCharCode(65 + column) + digits(row + 1);
        }
        break;
      case 'crossing':
        if (isPair(value)) return value[0] < 0 || value[1] < 0 ? this.outside(value) : `${digits(value[0])}-${digits(value[1])}`;
        break;
      case 'signed':
        if (typeof value === 'number') {
          const text = this.plain(value);
          return value > 0 && text !== '0' ? '+' + text : text;
        }
    }
    return this.plain(value);
  }

  /** A pair that no board has room for. */
  private outside([row, column]: [number, number]): string {
    return `(${this.plain(row)}, ${this.plain(column)})`;
  }

  private word(prefix: string, word: string): string {
    const message = this.locale.message(`${prefix}.${word}`);
    return message ? new Speech(this.locale, {}, []).say(message) : clean(word);
  }

  private list(value: unknown, kind: string[]): string {
    return this.join(items(value).map((item) => this.show(item, kind.length ? kind : ['plain'])));
  }

  /** Equal items once, by the message of a key that gets what they are and how
   * many; plainly where there is none. */
  private tally(value: unknown, key: string): string {
    const message = this.locale.message(key);
    if (!message || this.inner) return this.list(value, []);
    const times = new Map<string, number>();
    for (const word of items(value).map((item) => this.plain(item))) times.set(word, (times.get(word) ?? 0) + 1);
    return this.join([...times].map(([word, times]) => new Speech(this.locale, { word, times }, [], true).say(message)));
  }

  private join(texts: string[]): string {
    if (texts.length < 2) return texts[0] ?? '–';
    return texts.slice(0, -1).join(', ') + habits[this.locale.tag].and + texts.at(-1);
  }

  private plain(value: unknown): string {
    if (value === null || value === undefined) return '?';
    if (typeof value === 'string') return clean(value);
    if (typeof value === 'number') return this.decimal(value);
    if (typeof value === 'boolean') return String(value);
    if (Array.isArray(value)) return value.map((item) => this.plain(item)).join(', ');
    return sortedJSON(value);
  }

  /** A number, rounded to two places, halves away from zero. */
  private decimal(x: number): string {
    if (!Number.isFinite(x)) return '?';
    const sign = x < 0 ? '−' : '';
    const size = Math.abs(x);
    if (Number.isInteger(size)) return size === 0 ? '0' : sign + digits(size);
    const hundredths = Math.round(size * 100);
    const fraction = String(100 + (hundredths % 100)).slice(1).replace(/0+$/, '');
    const text = digits(Math.floor(hundredths / 100)) + (fraction && habits[this.locale.tag].decimal + fraction);
    return text === '0' ? text : sign + text;
  }
}

/** How a select selects a value. */
function choiceOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'boolean') return [String(value)];
  return Number.isInteger(value) ? [digits(value as number)] : [];
}

function digits(whole: number): string {
  return BigInt(whole).toString();
}

function isPair(value: unknown): value is [number, number] {
  return Array.isArray(value) && value.length === 2 && value.every(Number.isInteger);
}

/** The items of a list; anything else is a list of one. */
function items(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** Keeps text from steering a terminal, here as there. */
function clean(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd');
}

function sortedJSON(value: unknown): string {
  return JSON.stringify(value, (_, v) =>
    v && typeof v === 'object' && !Array.isArray(v) ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1))) : v,
  );
}
