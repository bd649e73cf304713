import type { Defect } from './defect.ts';

/** Responds to a change a moment before its commit. */
export const earlyResponse: Defect = {
  name: 'early-response',
  what: 'the response to a change precedes its commit',
  patches: [
    {
      file: 'storage/storage.ts',
      in: 'watchStorage',
      find: `    const result = await storage.write((transaction) => {
      // The work runs again after a lost race.
      inserted.clear();
      return work(watch(transaction, inserted));
    }, options);`,
      replace: `    const early = Promise.withResolvers<Result>();
    storage
      .write(async (transaction) => {
        inserted.clear();
        const result = await work(watch(transaction, inserted));
        early.resolve(result);
        await new Promise((resolve) => setTimeout(resolve, 5));
        return result;
      }, options)
      .catch(early.reject);
    const result = await early.promise;`,
    },
  ],
};
