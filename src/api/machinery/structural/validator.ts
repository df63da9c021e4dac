// Validation of custom resources. Expressions and patterns need engines that are loaded when the first definition or custom resource is written.
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/registry/customresource.customResourceValidator.*
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apiserver/validation.ValidateCustomResource, ValidateCustomResourceUpdate
import type { FieldError } from '../field-error.ts'
import type { KubernetesObject } from '../types.ts'
import type { JsonSchema } from './definition.ts'
import type { ScalePaths } from './scale-values.ts'

export interface LoadedSchema {
  readonly schema: JsonSchema | undefined
}

interface Validator {
  validate(object: KubernetesObject): FieldError[]
  validateUpdate(next: KubernetesObject, current: KubernetesObject): FieldError[]
  validateStatusUpdate(next: KubernetesObject, current: KubernetesObject): FieldError[]
}

type Engines = typeof import('./engines.ts')

let engines: Engines | undefined

/** Undefined once they are loaded. */
export function loadEngines(): Promise<void> | undefined {
  if (engines !== undefined) return undefined
  return import('./engines.ts').then((loaded) => {
    engines = loaded
  })
}

export function requireEngines(): Engines {
  if (engines === undefined) throw new Error('Cannot validate: the engines are not loaded. Call loadEngines() first.')
  return engines
}

export const validatorOf = ({ schema }: LoadedSchema, scale: ScalePaths | undefined): Validator => ({
  validate: (object) => requireEngines().validateObject(schema, scale, object, undefined),
  validateUpdate: (next, current) => requireEngines().validateObject(schema, scale, next, current),
  validateStatusUpdate: (next, current) => requireEngines().validateStatus(schema, scale, next, current),
})
