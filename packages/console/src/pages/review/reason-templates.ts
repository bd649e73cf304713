import type { ReasonTemplate } from '@appregistrar/client/operator';
import { operator } from '../../operator.ts';
import { type RequestState, useRequest } from '../../use-request.ts';

const cachedMs = 60_000;
let loading: { at: number; templates: Promise<ReasonTemplate[]> } | undefined;

/** The reasons that operators share. One request serves all forms of a minute. */
export function useReasonTemplates(): RequestState<ReasonTemplate[]> {
  return useRequest(() => {
    if (loading === undefined || Date.now() - loading.at > cachedMs) loading = { at: Date.now(), templates: load() };
    return loading.templates;
  }, []);
}

async function load(): Promise<ReasonTemplate[]> {
  try {
    return (await operator.reasonTemplates.list({ limit: 100 }).page()).items;
  } catch (error) {
    loading = undefined;
    throw error;
  }
}
