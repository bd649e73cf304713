import { AppRegistryError } from '@appregistrar/client';
import { useRef } from 'preact/hooks';
import { EditConflict } from './shown-error.ts';

interface Edit<Resource> {
  /** To call when the form opens. */
  begin: () => void;
  /**
   * Sends what was edited of the version that the form was opened with, if that is still the current one. After a conflict, the
   * form shows what to do: the next attempt is for the version that the page shows by then.
   */
  save: (send: (opened: Resource, ifMatch: string) => Promise<unknown>) => Promise<void>;
}

/** The editing of a resource in a form, while the page around it follows the changes of others. */
export function useEdit<Resource extends { etag: string }>(current: Resource, reload: () => void): Edit<Resource> {
  const opened = useRef(current);
  const ifMatch = useRef(current.etag);
  return {
    begin() {
      opened.current = current;
      ifMatch.current = current.etag;
    },
    async save(send) {
      try {
        await send(opened.current, ifMatch.current);
      } catch (error) {
        if (!AppRegistryError.is(error) || error.code !== 'precondition_failed') throw error;
        ifMatch.current = error.response?.etag ?? ifMatch.current;
        reload();
        throw new EditConflict();
      }
    },
  };
}
