import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NamedPipe } from '@appregistrar/testkit/system/named-pipe';
import { type FaultInjection, type Figures, guarantee } from './harness/fault-injection.ts';
import type { Run } from './harness/run.ts';
import { SmallDisk } from './harness/small-disk.ts';
import { LogScene } from './log/log-scene.ts';

/** Their lines are more than a pipe holds. */
const floodSize = 2_000;
/** Their lines are twice what the service may hold in memory. */
const requestsMax = 60_000;
const diskMegabytes = 1;

export const faultInjection: FaultInjection = {
  summary: 'a log that is not read, whose reader goes away, and whose disk is full',
  options: {
    stalls: { what: 'how often the reader stalls until lines are dropped', value: 20, short: 1 },
  },
  run: async (run) => {
    const figures = await Promise.all([stalledReader, lostReader, fullDisk, fullDevice].map((part) => part(run)));
    return Object.assign({}, ...figures);
  },
  defects: [
    {
      name: 'synchronous-write',
      what: 'each line is written before the service goes on',
      patches: [
        {
          file: 'log.ts',
          in: 'LogOutput.write',
          find: '    this.#lines += line;\n',
          replace:
            '    for (let rest = Buffer.from(line); rest.length > 0; ) rest = rest.subarray(writeSomeSync(this.#descriptor, rest));\n',
        },
      ],
    },
    {
      name: 'unbounded-buffer',
      what: 'lines wait for the reader in any number',
      patches: [
        {
          file: 'log.ts',
          in: 'waitingCharsMax',
          find: 'const waitingCharsMax = 4 * 2 ** 20;',
          replace: 'const waitingCharsMax = 2 ** 40;',
        },
      ],
    },
  ],
};

/** Lets lines wait until some are dropped, reads again, and finally ends the service while it cannot write. */
async function stalledReader(run: Run): Promise<Figures> {
  const pipe = new NamedPipe();
  run.atEnd(() => pipe.remove());
  const scene = await LogScene.start(run, pipe.path);
  let text = '';
  for (let stall = 0; stall < run.number('stalls'); stall += 1) {
    await untilDropped(scene, await scene.dropped());
    text += await pipe.read((read) => read.includes('log lines dropped'));
  }
  const dropped = await scene.dropped();
  const [rest] = await Promise.all([pipe.read(), scene.stop()]);
  const lines = scene.linesOf(text + rest);
  scene.assertCounted(lines, dropped);

  await scene.service.start();
  await scene.flood(floodSize);
  await scene.stop();
  return { requests: scene.requests, lines: lines.length, dropped };
}

async function untilDropped(scene: LogScene, before: number): Promise<void> {
  const last = scene.requests + requestsMax;
  while ((await scene.dropped()) === before) {
    guarantee(scene.requests < last, `no line is dropped while ${requestsMax} wait`);
    await scene.flood(floodSize);
  }
}

/** As with `app-registry serve | head -1`; a named pipe can get another reader. */
async function lostReader(run: Run): Promise<Figures> {
  const pipe = new NamedPipe();
  run.atEnd(() => pipe.remove());
  const scene = await LogScene.start(run, pipe.path);
  await pipe.read((read) => read.includes('\n'));
  pipe.closeReader();
  await scene.flood(floodSize);
  pipe.openReader();
  const read = await pipe.read((read) => read.split('"route":null').length > floodSize);
  await scene.stop();
  return { 'after another reader': read.split('\n').length - 1 };
}

async function fullDisk(run: Run): Promise<Figures> {
  const disk = new SmallDisk(diskMegabytes);
  run.atEnd(() => disk.remove());
  const logFile = join(disk.folder, 'log');
  const scene = await LogScene.start(run, logFile);
  disk.fill();
  await scene.flood(floodSize);
  disk.empty();
  await scene.flood(floodSize);
  await scene.stop();
  const lines = scene.linesOf(readFileSync(logFile, 'utf8'));
  scene.assertCounted(lines, 0);
  return { 'after the disk was full': lines.length };
}

async function fullDevice(run: Run): Promise<Figures> {
  const scene = await LogScene.start(run, '/dev/full');
  await scene.flood(floodSize);
  await scene.stop();
  return {};
}
