// Expressions are compiled before their object is stored, so that a mistake is reported to its author.
// Ours: the compiler is loaded before the first expression, and validation does not wait.
import type { FieldError } from '../../api/machinery/field-error.ts'
import { invalidError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject } from '../../api/types.ts'
import type { Write } from '../rest/write-steps.ts'

type FindErrors = (next: KubernetesObject, current: KubernetesObject | undefined) => Promise<readonly FieldError[]>

/** Rejects with a StatusError (422) where an expression cannot be compiled. */
export const compileWith =
  (findErrors: FindErrors) =>
  async ({ kind, next, current }: Write): Promise<void> => {
    const errors = await findErrors(next, current)
    if (errors.length > 0) throw invalidError(kind, next.metadata.name ?? '', errors)
  }
