import type { RequestOptions } from '../client/options.ts';
import type { OperatorClient } from '../operator/operator-client.ts';
import type { Change, CopiedApp, CopiedInstallation } from './change.ts';
import { InstallationIndex } from './installation-index.ts';
import { type CurrentObjects, copied, readAgain } from './read-again.ts';

/** The events of a page. Without a filter, one with fewer is at the end of the feed. */
const eventsMax = 100;

/** Apps and installations, and the feed position that they are current to. */
export class Replica {
  readonly apps = new Map<string, CopiedApp>();
  readonly installations = new InstallationIndex();
  /** When the feed was last read to its end, by `performance.now()`. */
  currentAt = 0;
  /** The time of the last event. */
  lastEventAt: string | undefined;
  readonly #operator: OperatorClient;
  readonly #options: RequestOptions;
  #cursor: string;

  /** Reads everything, and what has changed meanwhile. */
  static async read(operator: OperatorClient, options: RequestOptions): Promise<Replica> {
    // Before the lists: changes made while they are read follow this position in the feed.
    const { nextCursor } = await operator.events.readFeed({ since: 'now' }, options);
    const replica = new Replica(operator, options, nextCursor);
    for await (const app of operator.apps.list({ view: 'full', limit: 100 }, options)) {
      replica.apps.set(app.id, copied(app));
    }
    for await (const installation of operator.installations.list({ limit: 100 }, options)) {
      replica.installations.set(installation);
    }
    while (!(await replica.advance(0)).isAtEnd);
    return replica;
  }

  private constructor(operator: OperatorClient, options: RequestOptions, cursor: string) {
    this.#operator = operator;
    this.#options = options;
    this.#cursor = cursor;
  }

  /** Waits for the next events, and reads the objects that they name. A failure changes nothing. */
  async advance(waitSeconds: number): Promise<{ changes: Change[]; isAtEnd: boolean }> {
    const sentAt = performance.now();
    const query = { cursor: this.#cursor, limit: eventsMax, wait: waitSeconds };
    const { items, nextCursor } = await this.#operator.events.readFeed(query, this.#options);
    const isWaitOver = items.length === 0 && performance.now() - sentAt >= waitSeconds * 1_000;
    const changes = this.#replace(await readAgain(this.#operator, items, this.#options));
    this.#cursor = nextCursor;
    this.lastEventAt = items.at(-1)?.timestamp ?? this.lastEventAt;
    // The registry checks once more at the end of the wait.
    const isAtEnd = items.length < eventsMax;
    if (isAtEnd) this.currentAt = sentAt + (isWaitOver ? waitSeconds * 1_000 : 0);
    return { changes, isAtEnd };
  }

  /** The differences from another replica. */
  changesTo(other: Replica): Change[] {
    const apps = new Set([...this.apps.keys(), ...other.apps.keys()]);
    const installations = new Set([...this.installations.keys(), ...other.installations.keys()]);
    return [
      ...[...apps].flatMap((id) => this.#changeOfApp(id, other.apps.get(id))),
      ...[...installations].flatMap((id) => this.#changeOfInstallation(id, other.installations.get(id))),
    ];
  }

  #replace({ apps, installations }: CurrentObjects): Change[] {
    const changes = [
      ...[...apps].flatMap(([id, after]) => this.#changeOfApp(id, after)),
      ...[...installations].flatMap(([id, after]) => this.#changeOfInstallation(id, after)),
    ];
    // Deletions first: another installation may have the workspace now.
    for (const { type, id, after } of changes) {
      if (!after) (type === 'app' ? this.apps : this.installations).delete(id);
    }
    for (const { type, id, after } of changes) {
      if (type === 'app' && after) this.apps.set(id, after);
      if (type === 'installation' && after) this.installations.set(after);
    }
    return changes;
  }

  #changeOfApp(id: string, after: CopiedApp | undefined): Change[] {
    const before = this.apps.get(id);
    return isSame(before, after) ? [] : [{ type: 'app', id, before, after }];
  }

  #changeOfInstallation(id: string, after: CopiedInstallation | undefined): Change[] {
    const before = this.installations.get(id);
    return isSame(before, after) ? [] : [{ type: 'installation', id, before, after }];
  }
}

/** Compares JSON values. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => isSame(one[name], other[name]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
