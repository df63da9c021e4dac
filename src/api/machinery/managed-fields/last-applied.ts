// The annotation that `kubectl apply` keeps on the client's side, for objects that move to server-side apply.
// Kubernetes: k8s.io/apimachinery/pkg/util/managedfields/internal.lastAppliedManager.*, lastAppliedUpdater.*, buildLastApplied

import { goJson } from '../go-text.ts'
import { isJsonObject, withSortedKeys } from '../json-object.ts'
import type { KubernetesObject } from '../types.ts'
import { typeProblem } from './check-typed.ts'
import { compareWithNulls } from './compare.ts'
import { difference, type FieldSet } from './field-set.ts'
import { namedFieldsOf } from './of-object.ts'
import type { Shape } from './shape.ts'

const annotation = 'kubectl.kubernetes.io/last-applied-configuration'
const maxAnnotationBytes = 256 * 1024

function annotationsOf(object: KubernetesObject | undefined): Readonly<Record<string, string>> {
  return object?.metadata?.annotations ?? {}
}

function lastAppliedOf(object: KubernetesObject | undefined): string {
  const annotations = annotationsOf(object)
  return (Object.hasOwn(annotations, annotation) ? annotations[annotation] : undefined) ?? ''
}

/** The fields that the annotation names and that still have its values; undefined when there is no such configuration. */
export function fieldsOfLastApplied(shape: Shape, apiVersion: string, live: KubernetesObject | undefined): FieldSet | undefined {
  let applied: unknown
  try {
    applied = JSON.parse(lastAppliedOf(live))
  } catch {
    return undefined
  }
  if (!isJsonObject(applied) || applied['apiVersion'] !== apiVersion || typeProblem(shape, applied) !== undefined) return undefined
  const { added, modified, removed } = compareWithNulls(shape, applied, live)
  return difference(difference(difference(namedFieldsOf(shape, applied), modified), added), removed)
}

/** The object with the annotation brought up to date, if it has one. */
export function withLastApplied(object: KubernetesObject, applied: KubernetesObject): KubernetesObject {
  if (lastAppliedOf(object) === '') return object
  const { [annotation]: _, ...others } = annotationsOf(applied)
  const configuration =
    applied.metadata?.annotations === undefined ? applied : { ...applied, metadata: { ...applied.metadata, annotations: others } }
  const text = `${goJson(withSortedKeys(configuration))}\n`
  const annotations = { ...annotationsOf(object), [annotation]: text }
  let bytes = 0
  for (const [key, value] of Object.entries(annotations)) bytes += key.length + value.length
  if (bytes > maxAnnotationBytes) annotations[annotation] = ''
  if (annotations[annotation] === lastAppliedOf(object)) return object
  return { ...object, metadata: { ...object.metadata, annotations } }
}
