/** Codes of decisions that this registry documents. A caller may use others. */
export const decisionCodes = ['broken_address', 'impersonation', 'incomplete', 'misleading', 'other', 'spam'] as const;
