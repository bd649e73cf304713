import { createApp } from '@appregistrar/testkit/calls/apps';
import { encodeForm } from '@appregistrar/testkit/http/form';
import { bearer, type HttpRequest } from '@appregistrar/testkit/http/http-request';
import { type ReceivedResponse, send } from '@appregistrar/testkit/http/send';
import { withRegistry } from '@appregistrar/testkit/registry/with-registry';
import { commandLine } from '../packages/server/src/kernel/registry.ts';
import { type Credentials, createCredentials } from './harness/credentials.ts';
import { distributionOf } from './harness/distribution.ts';
import { type FaultInjection, type Figures, guarantee } from './harness/fault-injection.ts';
import { freshSqlite } from './harness/fresh-database.ts';
import type { Run } from './harness/run.ts';
import { Service } from './harness/service.ts';
import { CurrentReads } from './images/current-reads.ts';
import { type HostileImage, hostileImages } from './images/hostile-images.ts';
import { MemoryWatch } from './images/memory-watch.ts';

const uploadMsMax = 600_000;
/** Twice the limit of a drawing process, and more: on a busy machine it looks late. */
const memoryLimits = { growthMb: 100, childrenMb: 2_048 };

export const faultInjection: FaultInjection = {
  summary: 'floods of images that take much to decode: do memory and reads remain as they were?',
  options: {
    floods: { what: 'how often all uploads are sent at once', value: 5, short: 1 },
    uploads: { what: 'uploads in each flood, of 1 MiB each', value: 80 },
  },
  async run(run) {
    const { service, credentials, appId } = await prepare(run);
    const images = await hostileImages();
    const requests = await Promise.all(images.map(({ bytes }) => uploadOf(bytes, credentials)));
    const reads = new CurrentReads({ publicUrl: service.publicUrl, appId, credentials });
    const watch = new MemoryWatch(service.process.pid, memoryLimits);
    run.atEnd(() => watch.end());
    const counts = { stored: 0, refused: 0, busy: 0 };
    for (let flood = 0; flood < run.number('floods'); flood += 1) {
      const uploads = Array.from({ length: run.number('uploads') }, async (_, index) => {
        const at = index % images.length;
        const request = requests[at] as HttpRequest;
        const response = await send(service.operatorUrl, request, { timeoutMs: uploadMsMax });
        counts[outcomeOf(response, images[at] as HostileImage)] += 1;
      });
      await Promise.race([Promise.all(uploads), watch.exceeded]);
    }
    watch.check();
    await reads.stop();
    return figuresOf({ counts, watch, reads });
  },
  defects: [
    {
      name: 'in-process',
      what: 'images are decoded in the process of the service',
      patches: [
        {
          file: 'features/logos/draw-image.ts',
          in: 'drawImage',
          find: 'latest.then(() => drawInProcess({ image, limits: { ...defaultLimits, ...limits } }))',
          replace: `(image[0] === 0x3c
            ? latest.then(() => drawInProcess({ image, limits: { ...defaultLimits, ...limits } }))
            : import('./draw-pixels.ts').then(({ drawPixels }) => drawPixels(image)))`,
        },
      ],
    },
    {
      name: 'unlimited-uploads',
      what: 'any number of uploads waits in memory',
      patches: [
        {
          file: 'http/limits/concurrent-requests.ts',
          in: 'UploadsAtOnce.acquire',
          find: 'if (this.#max > 0 && this.#open >= this.#max) {',
          replace: 'if (this.#max < 0) {',
        },
      ],
    },
  ],
};

async function prepare(run: Run): Promise<{ service: Service; credentials: Credentials; appId: string }> {
  const database = freshSqlite();
  run.atEnd(database.remove);
  const credentials = await createCredentials(database.url);
  const { developerId } = credentials;
  const { id: appId } = await withRegistry(database.url, (registry) =>
    createApp(registry, commandLine, { developerId, name: 'Busy' }),
  );
  const service = await Service.create({ source: run.source, databaseUrl: database.url });
  run.atEnd(() => service.kill());
  await service.start();
  return { service, credentials, appId };
}

async function uploadOf(image: Buffer, { operator, developerId }: Credentials): Promise<HttpRequest> {
  const { headers, body } = await encodeForm({ developerId, image });
  return { method: 'POST', path: '/operator/v1/logos', headers: { ...bearer(operator), ...headers }, body };
}

function outcomeOf(
  { status, headers, text }: ReceivedResponse,
  { what, status: expected, detail }: HostileImage,
): 'stored' | 'refused' | 'busy' {
  if (status === 503) {
    guarantee(Number(headers['retry-after']) > 0, `a 503 without Retry-After: ${text}`);
    return 'busy';
  }
  guarantee(status === expected && detail.test(text), `${what} received ${status} ${text}`);
  return status === 201 ? 'stored' : 'refused';
}

interface Outcome {
  counts: Record<'stored' | 'refused' | 'busy', number>;
  watch: MemoryWatch;
  reads: CurrentReads;
}

function figuresOf({ counts, watch, reads }: Outcome): Figures {
  const { median, p99 } = distributionOf(reads.ms);
  return {
    ...counts,
    'growth of the service': `${watch.growthMb} MB`,
    'most of drawing processes': `${watch.childrenMb} MB`,
    'current reads': `${reads.ms.length} (median ${median} ms, p99 ${p99} ms)`,
  };
}
