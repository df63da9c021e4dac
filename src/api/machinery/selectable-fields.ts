// Fields that a field selector may name, besides metadata.name and metadata.namespace.
// Kubernetes: k8s.io/apimachinery/pkg/runtime.DefaultMetaV1FieldSelectorConversion
// Kubernetes: pkg/apis/core/v1.addConversionFuncs

/** How to read each field, by the name that selectors use. */
export type SelectableFields<T> = Readonly<Record<string, { read(object: T): string }['read']>>

export const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

/** The error message for a selector that names another field, for most kinds that have selectable fields. */
export const unsupportedField = (field: string): string => `field label not supported: ${field}`
