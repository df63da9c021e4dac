// pods/binding: assigns a pod to a node.
// Kubernetes: pkg/registry/core/pod/storage.BindingREST.*
// Kubernetes: pkg/apis/core/validation.ValidatePodBinding

import { validatePodBinding } from '../../../api/kinds/core/pod/validation.ts'
import { bindings, pods } from '../../../api/kinds.ts'
import { fieldErrorMessage } from '../../../api/machinery/field-error.ts'
import { badRequestError, conflictError, failure } from '../../../api/machinery/status-error.ts'
import type { Binding, ObjectMeta, Pod, Status } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { admitIntoNamespace } from '../../admission/namespace-lifecycle.ts'
import { withTopology } from '../../admission/pod-topology.ts'
import { changeStored } from '../../rest/change-stored.ts'
import { admitByConfiguration } from '../../rest/configured-admission.ts'
import { ensureNamespace } from '../../rest/naming.ts'
import { registryKeyOf } from '../../rest/registry-key.ts'
import { readBody } from '../../rest/request-body.ts'
import type { Input, WriteOptions } from '../../rest/rest.ts'
import type { WriteScope } from '../../rest/scope.ts'
import type { NewObject } from '../../rest/write-steps.ts'
import { withCondition } from './pod-conditions.ts'

export const created: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }

/** `name` is undefined for the legacy endpoint, POST `bindings`, where the binding names the pod. */
export async function bind(
  scope: WriteScope,
  namespace: string,
  name: string | undefined,
  input: Input,
  options: WriteOptions,
): Promise<Status> {
  const binding = readBody<Binding>(bindings, input, options)
  ensureNamespace(binding as Pick<NewObject, 'metadata'>, namespace)
  const podName = name ?? binding.metadata?.name ?? ''
  if (podName === '') throw badRequestError('Name parameter required.')
  admitIntoNamespace(pods, podName, namespace, scope.admission.cluster.namespace(namespace))
  if (podName !== (binding.metadata?.name ?? '')) throw badRequestError('name in URL does not match name in Binding object')
  const errors = validatePodBinding(binding).map(fieldErrorMessage)
  if (errors.length > 0) throw failure(500, '', errors.length === 1 ? errors[0]! : `[${errors.join(', ')}]`)
  if (scope.admission.dynamic.isActive)
    await admitByConfiguration(scope, options, {
      operation: 'CREATE',
      resource: pods,
      namespace,
      name: podName,
      subresource: 'binding',
      kind: bindings,
      object: binding,
    })
  const now = formatTime(scope.clock.now())
  const { target, metadata } = binding
  // As in Kubernetes, the legacy endpoint adds no labels of the node.
  const addsTopology = name !== undefined && target.kind === 'Node'
  const labels = addsTopology ? withTopology(metadata?.labels, target.name, scope.admission.cluster) : metadata?.labels
  await changeStored(scope, pods, namespace, podName, options.dryRun, (current) => {
    checkPreconditions(podName, namespace, binding, current as Pod)
    return assign(scope, current as Pod, binding, labels, now)
  })
  return created
}

function checkPreconditions(name: string, namespace: string, { metadata }: Binding, pod: Pod): void {
  for (const [field, label] of [
    ['uid', 'UID'],
    ['resourceVersion', 'ResourceVersion'],
  ] as const) {
    const wanted = metadata?.[field]
    const found = pod.metadata?.[field] ?? ''
    if (wanted && wanted !== found)
      throw conflictError(
        pods,
        name,
        `StorageError: invalid object, Code: 4, Key: ${registryKeyOf(pods, namespace, name)}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${label} in precondition: ${wanted}, ${label} in object meta: ${found}`,
      )
  }
}

function assign(scope: WriteScope, pod: Pod, { metadata, target }: Binding, labels: ObjectMeta['labels'], now: string): Pod {
  const name = pod.metadata?.name ?? ''
  const refuse = (why: string) => conflictError({ group: '', plural: 'pods/binding' }, name, why)
  if (pod.metadata?.deletionTimestamp) throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`)
  if (pod.spec?.nodeName) throw refuse(`pod ${name} is already assigned to node ${JSON.stringify(pod.spec.nodeName)}`)
  if (pod.spec?.schedulingGates?.length) throw refuse(`pod ${name} has non-empty .spec.schedulingGates`)
  const { nominatedNodeName: _, ...status } = pod.status ?? {}
  const assigned: Pod = {
    ...pod,
    metadata: {
      ...pod.metadata,
      ...(labels && { labels: scope.metadataParts.share({ ...pod.metadata?.labels, ...labels }) }),
      ...(metadata?.annotations && { annotations: { ...pod.metadata?.annotations, ...metadata.annotations } }),
    },
    spec: { ...pod.spec!, nodeName: target.name ?? '' },
    status,
  }
  return withCondition(assigned, { type: 'PodScheduled', status: 'True' }, now)
}
