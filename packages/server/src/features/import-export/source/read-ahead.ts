/** Reads the next batch while one is stored: on another processor, if that is what PostgreSQL has. */
export async function* readAhead<Batch>(batches: AsyncGenerator<Batch, undefined>): AsyncGenerator<Batch, undefined> {
  let next = batches.next();
  try {
    for (;;) {
      const { value, done } = await next;
      if (done) return;
      next = batches.next();
      // Handled when it is awaited.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await next.catch(() => {});
    await batches.return(undefined);
  }
}
