import Type from 'typebox';
import { ReasonTemplateId } from '../ids.ts';
import { pageParameters } from '../page.ts';
import { DateTime, nullable } from '../text.ts';
import { Code, Message } from './decision.ts';

const Title = Type.String({
  minLength: 1,
  maxLength: 100,
  format: 'single-line',
  description: 'The title that reviewers select it by.',
  examples: ['Callback does not respond'],
});

/** The request to create one. */
export const NewReasonTemplate = Type.Object(
  { title: Title, message: Message, code: Type.Optional(Code) },
  { $id: 'NewReasonTemplate', additionalProperties: false },
);
export type NewReasonTemplate = Type.Static<typeof NewReasonTemplate>;

/** An absent field stays unchanged; null removes the code. */
export const ReasonTemplateUpdate = Type.Object(
  { title: Type.Optional(Title), message: Type.Optional(Message), code: Type.Optional(nullable(Code)) },
  { $id: 'ReasonTemplateUpdate', additionalProperties: false },
);
export type ReasonTemplateUpdate = Type.Static<typeof ReasonTemplateUpdate>;

/** A text that reviewers begin a reason with. */
export const ReasonTemplate = Type.Object(
  { id: ReasonTemplateId, ...NewReasonTemplate.properties, createdAt: DateTime, updatedAt: DateTime },
  { $id: 'ReasonTemplate', description: 'A reusable text for the reason of a decision.' },
);
export type ReasonTemplate = Type.Static<typeof ReasonTemplate>;

/** The query of a page of them. */
export const ReasonTemplateQuery = Type.Object(pageParameters, { additionalProperties: false });
