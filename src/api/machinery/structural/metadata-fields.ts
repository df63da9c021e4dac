/** Fields that every object has whatever its schema says. */
export const typeMetaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])
