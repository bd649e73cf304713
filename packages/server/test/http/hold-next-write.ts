import type { Storage } from '../../src/storage/storage.ts';

export interface HeldWrite {
  /** Resolves once the write has been requested. */
  readonly requested: Promise<void>;
  /** Lets it begin. Resolves once it has ended. */
  release(): Promise<void>;
}

/** Holds back the next write, as a lock in the database would. */
export function holdNextWrite(storage: Storage): HeldWrite {
  const write = storage.write.bind(storage);
  const requested = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  storage.write = async (...args) => {
    storage.write = write;
    requested.resolve();
    await released.promise;
    return write(...args).finally(ended.resolve);
  };
  return {
    requested: requested.promise,
    release: () => {
      released.resolve();
      return ended.promise;
    },
  };
}
