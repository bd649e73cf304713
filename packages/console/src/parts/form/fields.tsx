import type { ComponentChildren, ComponentProps, VNode } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { useFieldErrors } from './field-errors.ts';

export interface FieldProps {
  /** The JSON Pointer of its value in the body of the request. */
  name: string;
  label: string;
  /** What to know before filling it in. */
  hint?: ComponentChildren;
}

type Own<Attributes> = FieldProps & Omit<Attributes, 'name' | 'id' | 'role'>;

export function TextField({ name, label, hint, ...attributes }: Own<ComponentProps<'input'>>) {
  return (
    <Field name={name} label={label} hint={hint}>
      {(control) => <input {...(attributes as ComponentProps<'input'>)} {...control} />}
    </Field>
  );
}

export function TextArea({ name, label, hint, ...attributes }: Own<ComponentProps<'textarea'>>) {
  return (
    <Field name={name} label={label} hint={hint}>
      {(control) => <textarea dir="auto" rows={4} {...attributes} {...control} />}
    </Field>
  );
}

interface Choice {
  value: string;
  label: ComponentChildren;
}

export function SelectField({ name, label, hint, defaultValue, ...attributes }: Own<ComponentProps<'select'>>) {
  const select = useRef<HTMLSelectElement>(null);
  // Preact knows no initial value of a select, to which a reset of its form goes back.
  useLayoutEffect(() => {
    for (const option of select.current?.options ?? []) option.defaultSelected = option.value === defaultValue;
  }, [defaultValue]);
  return (
    <Field name={name} label={label} hint={hint}>
      {(control) => <select {...attributes} {...control} ref={select} />}
    </Field>
  );
}

interface ChoiceFieldProps extends FieldProps {
  /** One of them with radio buttons, any of them with check boxes. */
  type: 'radio' | 'checkbox';
  choices: readonly Choice[];
  chosen?: readonly string[];
  onChoose?: (value: string) => void;
  required?: boolean;
}

export function ChoiceField({ name, label, hint, type, choices, chosen = [], onChoose, required }: ChoiceFieldProps) {
  const id = useId();
  const details = useFieldErrors(name);
  return (
    <fieldset class={classOf(details)} aria-describedby={describedBy(id, hint, details)}>
      <legend>{label}</legend>
      <Hint id={id}>{hint}</Hint>
      {choices.map((choice) => (
        <label class="choice" key={choice.value}>
          <input
            type={type}
            name={name}
            value={choice.value}
            defaultChecked={chosen.includes(choice.value)}
            required={required}
            onChange={() => onChoose?.(choice.value)}
          />
          <span>{choice.label}</span>
        </label>
      ))}
      <Details id={id} details={details} />
    </fieldset>
  );
}

interface Control {
  id: string;
  name: string;
  'aria-invalid': 'true' | undefined;
  'aria-describedby': string | undefined;
}

/** The label of a control, what to know before filling it in, and the errors at it. */
export function Field({ name, label, hint, children }: FieldProps & { children: (control: Control) => VNode }) {
  const id = useId();
  const details = useFieldErrors(name);
  return (
    <div class={classOf(details)}>
      <label for={id}>{label}</label>
      <Hint id={id}>{hint}</Hint>
      {children({
        id,
        name,
        'aria-invalid': details.length > 0 ? 'true' : undefined,
        'aria-describedby': describedBy(id, hint, details),
      })}
      <Details id={id} details={details} />
    </div>
  );
}

function classOf(details: string[]): string {
  return details.length > 0 ? 'field invalid' : 'field';
}

function describedBy(id: string, hint: ComponentChildren, details: string[]): string | undefined {
  const ids = [...(hint ? [`${id}-hint`] : []), ...(details.length > 0 ? [`${id}-error`] : [])];
  return ids.length > 0 ? ids.join(' ') : undefined;
}

function Hint({ id, children }: { id: string; children: ComponentChildren }) {
  if (!children) return null;
  return (
    <p class="hint" id={`${id}-hint`}>
      {children}
    </p>
  );
}

function Details({ id, details }: { id: string; details: string[] }) {
  if (details.length === 0) return null;
  return (
    <p class="field-error" id={`${id}-error`}>
      {details.join(' ')}
    </p>
  );
}
