import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { parse } from 'yaml';

/** `schema/compose-spec.json` of the Compose Specification, of 2025-07-21 (github.com/compose-spec/compose-spec, Apache-2.0). */
const schemaFile = new URL('compose.schema.json', import.meta.url);
// Its https URL of draft 7 is one that Ajv does not know.
const schema = { ...JSON.parse(readFileSync(schemaFile, 'utf8')), $schema: 'http://json-schema.org/draft-07/schema#' };
// Compose adds formats of its own, such as `ports`.
const isComposition = new Ajv({ strict: false, validateFormats: false }).compile(schema);
const text = readFileSync(new URL('../../deploy/compose.yaml', import.meta.url), 'utf8');

const mistakes: [written: string, mistaken: string, at: string][] = [
  ['\nservices:', '\nservice:', ''],
  ['read_only:', 'readonly:', '/services/registry'],
  ['start_period:', 'start-period:', '/services/registry/healthcheck'],
  ['condition: service_healthy', 'condition: healthy', '/services/registry/depends_on/postgres/condition'],
  ['stop_grace_period: 15s', 'stop_grace_period: 15', '/services/registry/stop_grace_period'],
  ['file: database-url.txt', 'path: database-url.txt', '/secrets/database-url'],
];

test('the composition conforms to the schema of the Compose Specification', () => {
  assert.ok(isComposition(parse(text)), JSON.stringify(isComposition.errors));
});

test('the schema refuses misspelt keys and wrong values in the composition', () => {
  for (const [written, mistaken, at] of mistakes) {
    assert.ok(text.includes(written), written);
    assert.ok(!isComposition(parse(text.replace(written, mistaken))), mistaken);
    const places = isComposition.errors?.map(({ instancePath }) => instancePath);
    assert.ok(places?.includes(at), `${mistaken}: ${places}`);
  }
});
