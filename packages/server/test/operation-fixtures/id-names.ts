const typeId = /\b[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;
const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const secret = /^(appreg_[a-z]+_|whsec_)[\w+/=]+$/;
const hourMs = 3_600_000;
const startMs = Date.now();

/** Fields that differ between interfaces: who made a change, and by which request. */
const differingFields = new Set(['actor', 'actorName', 'requestId', 'request_id']);
/** The reason of changes whose operation takes none. */
export const localReason = 'Only the command line takes this reason.';
/** Their text contains ids or times, or is random. */
const opaqueFields = new Set(['medianWaitMs', 'nextCursor', 'prevCursor', 'etag', 'revisionNonce']);

/**
 * Makes the results of two registries comparable. An id that a registry has generated gets a name from its kind and
 * the order in which ids appear, such as `app#1`; a recent time becomes the hours from now. A fixture refers to such an
 * id by its name.
 */
export class IdNames {
  readonly #known: ReadonlySet<string>;
  readonly #names = new Map<string, string>();
  #nextCursor = '';

  /** `known` holds the ids that all registries have. */
  constructor(known: ReadonlySet<string>) {
    this.#known = known;
  }

  /** The value with names in place of generated ids, times and secrets, and without fields that always differ. */
  replaceIds(value: unknown): unknown {
    if (typeof value === 'string') return this.#replaceIdsIn(value);
    if (typeof value === 'number') return value < startMs ? value : this.#describeTime(value);
    if (Array.isArray(value)) return value.map((item) => this.replaceIds(item));
    if (typeof value !== 'object' || value === null) return value;
    if ('nextCursor' in value) this.#nextCursor = String(value.nextCursor);
    const fields = Object.entries(value).filter(([name, inner]) => !isDiffering(name, inner));
    return Object.fromEntries(
      fields.map(([name, inner]) => [name, opaqueFields.has(name) ? `(${name})` : this.replaceIds(inner)]),
    );
  }

  /** Forgets all names, so that the next ones begin at 1. */
  forget(): void {
    this.#names.clear();
  }

  /** The text with generated ids in place of their names; `nextCursor` stands for the most recent one. */
  replaceNames(text: string): string {
    const ids = new Map([...this.#names].map(([id, name]) => [name, id]));
    return text.replaceAll(/\b[a-z]+#\d+/g, (name) => ids.get(name) ?? name).replace('nextCursor', this.#nextCursor);
  }

  #replaceIdsIn(text: string): string {
    if (secret.test(text)) return '(secret)';
    return (
      text
        // A command names the option of a field.
        .replaceAll(
          /`(\w+)`/g,
          (_, field: string) => `--${field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
        )
        .replaceAll(/ by \S+ at /g, ' by (actor) at ')
        .replaceAll(time, (at) => (Date.parse(at) < startMs ? at : this.#describeTime(Date.parse(at))))
        .replaceAll(typeId, (id) => (this.#known.has(id) ? id : this.#nameOf(id)))
    );
  }

  #describeTime(ms: number): string {
    return `(in ${Math.round((ms - startMs) / hourMs)} hours)`;
  }

  #nameOf(id: string): string {
    const known = this.#names.get(id);
    if (known) return known;
    const kind = id.slice(0, id.indexOf('_'));
    const count = [...this.#names.values()].filter((name) => name.startsWith(`${kind}#`)).length;
    const name = `${kind}#${count + 1}`;
    this.#names.set(id, name);
    return name;
  }
}

function isDiffering(name: string, value: unknown): boolean {
  return differingFields.has(name) || (name === 'reason' && (value === localReason || value === null));
}
