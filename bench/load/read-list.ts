import { request } from 'node:http';
import { type Ask, fieldsOf } from './http-request.ts';

export interface ReadList {
  firstByteMs: number;
  bytes: number;
  megabytesPerSecond: number;
}

/** Reads an answer of any length to its end, as quickly as it comes, on a connection of its own. */
export function readList(port: number, { method, path, token }: Ask): Promise<ReadList> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const fields = fieldsOf({ token, headers: {}, body: undefined });
    request({ host: '127.0.0.1', port, method, path, headers: fields, agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`a list was answered with ${response.statusCode}`));
      let firstByteMs: number | undefined;
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        firstByteMs ??= performance.now() - startedAt;
        bytes += chunk.length;
      });
      response.on('error', reject);
      response.on('end', () => {
        const seconds = (performance.now() - startedAt) / 1_000;
        resolve({ firstByteMs: firstByteMs ?? 0, bytes, megabytesPerSecond: bytes / 1e6 / seconds });
      });
    })
      .on('error', reject)
      .end();
  });
}
