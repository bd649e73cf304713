/** A stored object of the provider. */
interface Payload {
  uid?: string;
  userCode?: string;
  grantId?: string;
  clientId?: string;
  accountId?: string;
  consumed?: number;
}

interface Stored {
  payload: Payload;
  expiresAt: number;
}

/** The sessions, grants, codes and tokens of the provider, in memory. */
export class Grants {
  readonly #stored = new Map<string, Stored>();

  /** Ends all that an app was granted, by some people or by everyone. */
  end(clientId: string, isOf: (accountId: string) => boolean = () => true): void {
    this.#delete((payload) => payload.clientId === clientId && isOf(payload.accountId ?? ''));
  }

  /** The storage of one kind of object, as oidc-provider wants it. */
  adapter(kind: string) {
    return {
      find: async (id: string) => this.#find(`${kind}:${id}`),
      findByUid: async (uid: string) => this.#search((payload) => payload.uid === uid),
      findByUserCode: async (userCode: string) => this.#search((payload) => payload.userCode === userCode),
      upsert: async (id: string, payload: Payload, lifeSeconds: number) => {
        this.#stored.set(`${kind}:${id}`, { payload, expiresAt: Date.now() + lifeSeconds * 1_000 });
      },
      consume: async (id: string) => {
        const payload = this.#find(`${kind}:${id}`);
        if (payload) payload.consumed = Math.floor(Date.now() / 1_000);
      },
      destroy: async (id: string) => void this.#stored.delete(`${kind}:${id}`),
      revokeByGrantId: async (grantId: string) => {
        this.#delete((payload, key) => key.startsWith(`${kind}:`) && payload.grantId === grantId);
      },
    };
  }

  #find(key: string): Payload | undefined {
    const stored = this.#stored.get(key);
    if (stored && stored.expiresAt > Date.now()) return stored.payload;
    this.#stored.delete(key);
    return undefined;
  }

  #search(matches: (payload: Payload) => boolean): Payload | undefined {
    return [...this.#stored.values()].find(({ payload }) => matches(payload))?.payload;
  }

  #delete(matches: (payload: Payload, key: string) => boolean): void {
    for (const [key, { payload }] of this.#stored) if (matches(payload, key)) this.#stored.delete(key);
  }
}
