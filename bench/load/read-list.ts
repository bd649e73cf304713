import { request } from 'node:http';
import type { HttpRequest } from '@appregistrar/testkit/http/http-request';

export interface ReadList {
  firstByteMs: number;
  bytes: number;
  megabytesPerSecond: number;
}

/** Reads a response of any length on its own connection, as fast as it arrives and without buffering it. */
export function readList(port: number, { method, path, headers }: HttpRequest): Promise<ReadList> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`a list received ${response.statusCode}`));
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
