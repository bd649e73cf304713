import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Descriptor {
  digest: string;
  size: number;
}

interface Manifest {
  config: Descriptor;
  layers: Descriptor[];
}

const seconds = 1_000_000_000;
const healthcheck = {
  Test: ['CMD', '/usr/local/bin/app-registry', 'healthcheck'],
  Interval: 30 * seconds,
  Timeout: 10 * seconds,
  StartPeriod: 30 * seconds,
  Retries: 3,
};

/**
 * Adds to an OCI layout what Docker reads beyond the OCI specification: the check of health in the configuration, and
 * `manifest.json`, by which `docker load` finds the image. Returns the files of the layout.
 */
export function completeLayout(layout: string, version: string): string[] {
  const index = readJson<{ manifests: Descriptor[] }>(join(layout, 'index.json'));
  const [described] = index.manifests;
  if (!described) throw new Error('the layout has no image');
  const manifest = readJson<Manifest>(blobOf(layout, described));
  const config = readJson<{ config: object }>(blobOf(layout, manifest.config));
  replaceBlob(layout, manifest.config, { ...config, config: { ...config.config, Healthcheck: healthcheck } });
  replaceBlob(layout, described, manifest);
  writeJson(join(layout, 'index.json'), index);
  const paths = [manifest.config, ...manifest.layers].map(({ digest }) => pathOf(digest));
  const [configPath, ...layerPaths] = paths;
  const loaded = { Config: configPath, RepoTags: [`app-registry:${version}`], Layers: layerPaths };
  writeJson(join(layout, 'manifest.json'), [loaded]);
  return ['oci-layout', 'index.json', 'manifest.json', 'blobs'];
}

/** Stores new content, and updates the descriptor. */
function replaceBlob(layout: string, descriptor: Descriptor, content: object): void {
  rmSync(blobOf(layout, descriptor));
  const bytes = Buffer.from(JSON.stringify(content));
  descriptor.digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  descriptor.size = bytes.length;
  writeFileSync(blobOf(layout, descriptor), bytes);
}

function blobOf(layout: string, { digest }: Descriptor): string {
  return join(layout, pathOf(digest));
}

function pathOf(digest: string): string {
  return join('blobs', digest.replace(':', '/'));
}

function readJson<Content>(file: string): Content {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function writeJson(file: string, content: object): void {
  writeFileSync(file, `${JSON.stringify(content)}\n`);
}
