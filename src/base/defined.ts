/** Without the fields that are undefined. */
export function defined<T extends object>(fields: { readonly [K in keyof T]: T[K] | undefined }): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>
}
