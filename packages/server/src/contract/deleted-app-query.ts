import Type from 'typebox';
import { AppQuery } from './operator-app.ts';
import { pageParameters } from './page.ts';

/** The query of a page of deleted apps, of all developers or of one. */
export const DeletedAppQuery = Type.Object(
  { developerId: AppQuery.properties.developerId, ...pageParameters },
  { additionalProperties: false },
);
export type DeletedAppQuery = Type.Static<typeof DeletedAppQuery>;
