import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import type { OperatorClient } from '../../operator/operator-client.ts';
import { type Change, type RegistryCopy, type SyncOptions, sync } from '../index.ts';
import { copied } from '../read-again.ts';

/** A copy that is closed with the test, with what it reports. An error that no option expects fails the test. */
export async function openCopy(t: TestContext, operator: OperatorClient, options: SyncOptions = {}) {
  const reports = new Reports();
  const { onError = (error) => assert.fail(error as Error) } = options;
  const copy = await sync(operator, {
    onChange: reports.add,
    onError: (error) => {
      onError(error);
      reports.wake();
    },
  });
  t.after(() => copy.close());
  /** Waits until the copy has all changes made so far. */
  const caughtUp = async (by = operator) => {
    const marker = await by.developers.create({ email: 'marker@example.com' });
    const app = await by.apps.create({ developerId: marker.id, name: `Marker ${randomUUID()}` });
    await reports.until(() => copy.app(app.id) !== undefined);
  };
  return { copy, reports, caughtUp };
}

/** What a copy has reported. */
class Reports {
  readonly changes: Change[] = [];
  onChange: ((change: Change) => void) | undefined;
  readonly #waiting = new Set<() => void>();

  readonly add = (change: Change): void => {
    this.changes.push(change);
    this.wake();
    this.onChange?.(change);
  };

  about(...ids: string[]): Change[] {
    return this.changes.filter(({ id }) => ids.includes(id));
  }

  /** Checks what is waited for. A copy changes only before a report. */
  wake(): void {
    for (const check of this.#waiting) check();
  }

  until(isSo: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!isSo()) return;
        this.#waiting.delete(check);
        resolve();
      };
      this.#waiting.add(check);
      check();
    });
  }
}

/** Compares a copy with the lists of its registry. */
export async function assertSame(copy: RegistryCopy, operator: OperatorClient): Promise<void> {
  const apps = (await all(operator.apps.list({ view: 'full', limit: 100 }))).map(copied);
  const installations = await all(operator.installations.list({ limit: 100 }));
  assert.deepEqual(sorted(copy.apps()), apps);
  assert.deepEqual(sorted(copy.installations()), installations);
  for (const installation of installations) {
    const { appId, workspaceId } = installation;
    assert.deepEqual(copy.installation(appId, workspaceId), installation);
    assert.ok(copy.installations({ appId, workspaceId }).length === 1);
  }
}

async function all<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

function sorted<Item extends { id: string }>(items: Item[]): Item[] {
  return items.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}
