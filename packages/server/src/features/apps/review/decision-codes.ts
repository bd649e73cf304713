/** Codes of decisions that this registry documents; a caller may use others. Without imports: the console loads it. */
export const decisionCodes = ['broken_address', 'impersonation', 'incomplete', 'misleading', 'other', 'spam'] as const;
