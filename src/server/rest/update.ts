// update: replaces the current object.
import type { Kind } from '../../api/machinery/kind.ts'
import type { KubernetesObject } from '../../api/types.ts'
import { checkName, ensureNamespace } from './naming.ts'
import { readBody } from './request-body.ts'
import type { Input, WriteOptions } from './rest.ts'
import { entryOf, keyOf, type Scope } from './scope.ts'
import type { UpdateTarget } from './update-rules.ts'
import { type WrittenEntry, write } from './write-pipeline.ts'
import type { NewObject } from './write-steps.ts'

export async function update(scope: Scope, target: UpdateTarget, input: Input, options: WriteOptions): Promise<WrittenEntry> {
  const { kind, namespace, name, subresource } = target
  const decode = (current: KubernetesObject | undefined) => readBody(kind, input, options, current && sharedParts(kind, current))
  // An invalid body, or one for another object, is refused before the stored object is considered.
  const record = scope.store.get(keyOf(kind, namespace, name))
  const first = decode(record && entryOf(scope, kind, record).object)
  first.metadata ??= {}
  ensureNamespace(first as NewObject, kind.namespaced ? namespace : '')
  checkName(first as NewObject, name)
  let read: typeof first | undefined = first
  return write(scope, {
    ...target,
    options,
    mayCreate: subresource === undefined && kind.strategy.createOnUpdate === true,
    uid: first.metadata.uid,
    decode(current) {
      const object = read ?? decode(current)
      read = undefined
      return object
    },
  })
}

/** The parts that the next version may share with the current one; steps change all others in place. */
function sharedParts({ strategy }: Kind, current: KubernetesObject & { readonly spec?: object; readonly status?: object }): object {
  const { metadata, spec, status } = current
  return strategy.defaultSpec === undefined ? { metadata, status } : { metadata, spec, status }
}
