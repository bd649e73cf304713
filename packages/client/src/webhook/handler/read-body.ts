/** The maximum delay of timers. */
const timeoutMsMax = 2 ** 31 - 1;

/** The reader of a `ReadableStream`, or the same over another stream. */
export interface BodyReader {
  read(): Promise<{ done?: boolean | undefined; value?: unknown }>;
  cancel?(): Promise<unknown>;
}

export interface BodyLimits {
  bodyBytesMax: number;
  bodyTimeoutMs: number;
}

/** The body is refused, with this status. */
export class BodyError extends Error {
  readonly status: 408 | 413;

  constructor(status: 408 | 413, message: string) {
    super(message);
    this.status = status;
  }
}

/** Reads a body within the limits. Throws a {@link BodyError} beyond them, and leaves the rest unread. */
export async function readBody(reader: BodyReader, limits: BodyLimits): Promise<Uint8Array> {
  const { promise: timeout, stop } = startTimeout(limits.bodyTimeoutMs);
  try {
    return await Promise.race([readAll(reader, limits), timeout]);
  } catch (error) {
    // Not awaited: it may wait for the sender.
    reader.cancel?.().catch(() => {});
    throw error;
  } finally {
    stop();
  }
}

export function requireSize(bytes: number, { bodyBytesMax }: BodyLimits): void {
  if (bytes <= bodyBytesMax) return;
  throw new BodyError(413, `The body of the webhook has more than ${bodyBytesMax} bytes, which is bodyBytesMax.`);
}

async function readAll(reader: BodyReader, limits: BodyLimits): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const chunk = next.value as Uint8Array;
    size += chunk.length;
    requireSize(size, limits);
    chunks.push(chunk);
  }
  return joined(chunks, size);
}

function joined(chunks: Uint8Array[], size: number): Uint8Array {
  const body = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return body;
}

function startTimeout(timeoutMs: number): { promise: Promise<never>; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const promise = new Promise<never>((_, reject) => {
    const error = new BodyError(408, `The body of the webhook did not arrive within ${timeoutMs} ms.`);
    if (timeoutMs > 0 && timeoutMs <= timeoutMsMax) timer = setTimeout(() => reject(error), timeoutMs);
  });
  return { promise, stop: () => clearTimeout(timer) };
}
