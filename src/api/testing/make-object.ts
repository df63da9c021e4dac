// Objects for the tests of validation: decoded, defaulted and prepared as the server does it before it judges them.
import { decode } from '../machinery/decode/decode.ts'
import { defaultFeatureGates } from '../machinery/feature-gates.ts'
import { type FieldError, fieldErrorMessage } from '../machinery/field-error.ts'
import { fillDefaults, type Strategy, type StrategyContext } from '../machinery/kind.ts'
import { applyMergePatch } from '../machinery/patch/merge-patch.ts'
import type { KubernetesObject, Writable } from '../types.ts'

export const context: StrategyContext = { gates: defaultFeatureGates, nowMs: 0 }

/** `base` with `change` merged into it (null takes a field away), ready to be judged. */
export function makeObject<T extends KubernetesObject>(
  type: string,
  strategy: Pick<Strategy<T>, 'defaultSpec' | 'default' | 'prepareForCreate'>,
  base: object,
  change: object = {},
): T {
  const { object } = decode<Writable<T>>(type, applyMergePatch(structuredClone(base) as never, change as never))
  fillDefaults(strategy, object, context)
  strategy.prepareForCreate?.(object, context)
  return object as T
}

/** What Kubernetes would say of the errors. */
export const said = (errors: readonly FieldError[]): string[] => errors.map(fieldErrorMessage)

export const podTemplate = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'nginx' }] },
}
