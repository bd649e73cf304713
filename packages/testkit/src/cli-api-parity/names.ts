const typeId = /\b[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;
const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const secret = /^(appreg_[a-z]+_|whsec_)[\w+/=]+$/;
const hourMs = 3_600_000;
const beganMs = Date.now();

/** Members that are of one door alone: who made a change, and by which request. */
const ofOneDoor = new Set(['actor', 'requestId', 'request_id']);
/** Their text holds ids. */
const cursors = new Set(['nextCursor', 'prevCursor']);

/**
 * Lets the answers of two registries be compared. What each has made by itself gets a name: an id by its kind
 * and the order in which they are seen, such as `app#1`, and a time by how many hours it is from now. By its
 * name an id can be asked for, too.
 */
export class Names {
  readonly #known: ReadonlySet<string>;
  readonly #names = new Map<string, string>();
  #nextCursor = '';

  /** `known` holds the ids that both registries know. */
  constructor(known: ReadonlySet<string>) {
    this.#known = known;
  }

  /** The value with names in place of what was made here, and without what is of one door alone. */
  named(value: unknown): unknown {
    if (typeof value === 'string') return this.#namedText(value);
    if (typeof value === 'number') return value < beganMs ? value : this.#namedTime(value);
    if (Array.isArray(value)) return value.map((item) => this.named(item));
    if (typeof value !== 'object' || value === null) return value;
    if ('nextCursor' in value) this.#nextCursor = String(value.nextCursor);
    const members = Object.entries(value).filter(([member]) => !ofOneDoor.has(member));
    return Object.fromEntries(
      members.map(([member, inside]) => [member, cursors.has(member) ? '(cursor)' : this.named(inside)]),
    );
  }

  /** The text with what was made here in place of its names; `nextCursor` is the one that was answered last. */
  meant(text: string): string {
    const ids = new Map([...this.#names].map(([id, name]) => [name, id]));
    return text.replaceAll(/\b[a-z]+#\d+/g, (name) => ids.get(name) ?? name).replace('nextCursor', this.#nextCursor);
  }

  #namedText(text: string): string {
    if (secret.test(text)) return '(secret)';
    return text
      .replaceAll(/ by \S+ at /g, ' by (actor) at ')
      .replaceAll(time, (at) => (Date.parse(at) < beganMs ? at : this.#namedTime(Date.parse(at))))
      .replaceAll(typeId, (id) => (this.#known.has(id) ? id : this.#nameOf(id)));
  }

  #namedTime(ms: number): string {
    return `(in ${Math.round((ms - beganMs) / hourMs)} hours)`;
  }

  #nameOf(id: string): string {
    const kind = id.slice(0, id.indexOf('_'));
    const count = [...this.#names.values()].filter((name) => name.startsWith(`${kind}#`)).length;
    const name = this.#names.get(id) ?? `${kind}#${count + 1}`;
    this.#names.set(id, name);
    return name;
  }
}
