import { Ajv, type ErrorObject } from 'ajv';
import type Type from 'typebox';
import { inQuery, invalidContent } from './failure.ts';
import { toTypeId } from './ids.ts';
import type { ValidationError, ValidationErrorCode } from './problem-details.ts';
import { textFormats } from './text.ts';

const errorsMax = 100;

/** What the views of an app show and no update may set: it gets its own validation error, and not that of an unknown field. */
const readOnlyFields = new Set([
  'id',
  'createdAt',
  'updatedAt',
  'reviewStatus',
  'installationCount',
  'logoUrl',
  'developer',
  'installations',
]);

const ajv = new Ajv({
  allErrors: true,
  allowUnionTypes: true,
  // Values are validated as received: nothing is coerced, dropped or filled in.
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  strict: true,
  // A test does so: loading and compiling the schema of schemas would take a twentieth of the start.
  validateSchema: false,
  meta: false,
  verbose: true,
});
ajv.addFormat('date-time', isDateTime);
ajv.addFormat('uri', true);
for (const [name, format] of Object.entries(textFormats)) {
  // An empty string gets one error, that of `minLength`.
  ajv.addFormat(name, (value) => value === '' || format.validate(value));
}

export type Schema = Type.TSchema;

/** A value of the type that a schema describes. */
export type ValueOf<S extends Schema> = Type.Static<S>;

/** A valid value with the type of its schema, or every validation error (at most 100). */
type Checked<Value> = { value: Value; errors: null } | { value: null; errors: ValidationError[] };

/** Validates a value from outside against a schema of the contract. */
export function checkValue<S extends Schema>(schema: S, value: unknown): Checked<ValueOf<S>> {
  // Ajv compiles a schema object once.
  const validate = ajv.compile<ValueOf<S>>(schema);
  if (validate(value)) return { value, errors: null };
  return { value: null, errors: (validate.errors ?? []).slice(0, errorsMax).map(toValidationError) };
}

/** The same, returning only the errors; null when there are none. */
export function check(schema: Schema, value: unknown): ValidationError[] | null {
  return checkValue(schema, value).errors;
}

/** Returns the value, typed by its schema. Refuses an invalid one with `invalid_content` and its validation errors. */
export function requireValid<S extends Schema>(schema: S, value: unknown): ValueOf<S> {
  const checked = checkValue(schema, value);
  if (checked.errors) throw invalidContent(checked.errors);
  return checked.value;
}

/** The same for a query, whose errors name their parameter. One that is given twice gets one error. */
export function requireValidQuery<S extends Type.TObject>(schema: S, query: Record<string, unknown>): ValueOf<S> {
  const { value, errors } = checkValue(schema, query);
  if (!errors) return value;
  const twice = Object.keys(query).filter((name) => {
    const declared: { type?: unknown } | undefined = schema.properties[name];
    return declared && declared.type !== 'array' && Array.isArray(query[name]);
  });
  throw invalidContent([
    ...errors.map(inQuery).filter(({ parameter = '' }) => !twice.includes(parameter)),
    ...twice.map((parameter) => ({ parameter, code: 'wrong_type', detail: 'Give the parameter once.' }) as const),
  ]);
}

/** Refuses with these validation errors, if there are any. */
export function throwIfInvalid(errors: ValidationError[] | null): void {
  if (errors && errors.length > 0) throw invalidContent(errors);
}

function toValidationError(error: ErrorObject): ValidationError {
  const [code, detail] = describe(error);
  return { pointer: pointerOf(error), code, detail };
}

/** Ajv points at the parent of a missing or unknown field; a client needs the field (RFC 6901). */
function pointerOf({ instancePath, params }: ErrorObject): string {
  const field: string | undefined = params.additionalProperty ?? params.missingProperty;
  if (field === undefined) return instancePath;
  return `${instancePath}/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function describe({ keyword, params, data, parentSchema, instancePath }: ErrorObject): [ValidationErrorCode, string] {
  switch (keyword) {
    case 'required':
      return ['required', 'The field is required.'];
    case 'additionalProperties':
      return instancePath === '' && readOnlyFields.has(params.additionalProperty)
        ? ['read_only_field', 'The field is read-only.']
        : ['unknown_field', 'The field is unknown. Check its spelling and position.'];
    case 'type':
      return data === null && instancePath !== ''
        ? ['null_not_allowed', 'The value is required and cannot be removed.']
        : ['wrong_type', `The value must be ${article(parentSchema?.type)}.`];
    case 'minLength':
      return ['too_short', tooShort(params.limit, data, parentSchema?.type)];
    case 'minItems':
      return ['too_short', 'The list must not be empty.'];
    case 'maxItems':
      return ['too_long', `The list must have at most ${params.limit} values.`];
    case 'uniqueItems':
      return ['not_allowed', 'The list must not contain duplicates.'];
    case 'maxLength':
      return ['too_long', `The value must have at most ${params.limit} characters.`];
    case 'format':
      return ['invalid_format', `The value ${formatDetail(params.format)}.`];
    case 'minimum':
    case 'maximum':
      return ['not_allowed', `The value must be ${keyword === 'minimum' ? 'at least' : 'at most'} ${params.limit}.`];
    default:
      return ['not_allowed', `The value must be one of ${(params.allowedValues ?? []).join(', ')}.`];
  }
}

function tooShort(limit: number, data: unknown, type: unknown): string {
  if (data !== '') return `The value must have at least ${limit} characters.`;
  return Array.isArray(type) ? 'The value must not be empty. Send null to remove it.' : 'The value must not be empty.';
}

function article(type: unknown): string {
  if (Array.isArray(type)) return `${article(type[0])}, or null to remove it`;
  return type === 'object' || type === 'integer' || type === 'array' ? `an ${type}` : `a ${type}`;
}

function formatDetail(format: string): string {
  return textFormats[format]?.detail ?? 'must be a UTC time such as 2026-03-01T09:30:00.000Z';
}

const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/;

function isDateTime(value: string): boolean {
  if (!dateTime.test(value)) return false;
  const time = Date.parse(value);
  // Date.parse lets 31 February roll over into March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value.slice(0, 19));
}

/** Reads ids that the platform assigns, and collects the validation errors of malformed ones. */
export class PlatformIds {
  readonly errors: ValidationError[] = [];

  /** The id as it is stored. Meaningless once `errors` holds something. */
  read(text: string, prefix: string, pointer: string): string {
    const id = toTypeId(text, prefix);
    if (id !== null) return id;
    this.errors.push({
      pointer,
      code: 'invalid_format',
      detail: `The value must be a TypeID that starts with ${prefix}_, or a UUID.`,
    });
    return text;
  }
}

/** An id that the platform assigns, as it is stored. Refuses a malformed one with `invalid_content`. */
export function requirePlatformId(text: string, prefix: string, pointer: string): string {
  const ids = new PlatformIds();
  const id = ids.read(text, prefix, pointer);
  throwIfInvalid(ids.errors);
  return id;
}
