// Ours: Go compares strings by bytes.
interface Named {
  readonly metadata?: { readonly name?: string } | undefined
}

/** Sorts objects by their names. */
export const compareNames = (a: Named, b: Named): number => ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1)
