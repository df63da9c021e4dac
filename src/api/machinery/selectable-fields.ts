export type SelectableFields<T> = Readonly<Record<string, (object: T) => string>>

export const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value))
