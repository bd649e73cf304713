import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assignErrors } from './field-errors.ts';

const at = (pointer: string) => ({ pointer, code: 'invalid_format', detail: `about ${pointer || 'the body'}` });

test('an error belongs to the field that its pointer or its parameter names, or that contains it', () => {
  const inQuery = { parameter: 'appId', code: 'invalid_format', detail: 'about appId' };
  const errors = [at('/email'), at('/developerIds/1'), at('/developerIds/3'), inQuery];
  const { atFields, others } = assignErrors(errors, ['/email', '/developerIds', '/name', '/appId']);
  assert.deepEqual(Object.fromEntries(atFields), {
    '/email': ['about /email'],
    '/developerIds': ['about /developerIds/1', 'about /developerIds/3'],
    '/appId': ['about appId'],
  });
  assert.deepEqual(others, []);
});

test('an error of the body, or of a field that the form lacks, is returned separately, even if a name begins with that of a field', () => {
  const errors = [at(''), at('/names'), at('/other')];
  assert.deepEqual(assignErrors(errors, ['/name']), { atFields: new Map(), others: errors });
  assert.deepEqual(assignErrors(errors, []), { atFields: new Map(), others: errors });
});
