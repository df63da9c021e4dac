// A request as webhooks and admission policies see it.
// Kubernetes: k8s.io/apiserver/pkg/admission/plugin/webhook/request.CreateV1AdmissionReview
// Kubernetes: k8s.io/apiserver/pkg/admission/plugin/cel.CreateAdmissionRequest
import { apiVersionOf, type Kind } from '../../../api/machinery/kind.ts'
import type { KubernetesObject, Namespace } from '../../../api/types.ts'
import type { Caller } from '../../rest/rest.ts'

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'

export interface AdmissionAttributes {
  readonly operation: Operation
  /** The resource in the path. */
  readonly resource: Kind
  /** '' for a request without a subresource. */
  readonly subresource: string
  /** '' for cluster-scoped kinds. */
  readonly namespace: string
  /** '' for a name that is not generated yet. */
  readonly name: string
  /** The kind of the object: for some subresources, such as scale, another one than the kind of the resource. */
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string }
  /** Undefined for a deletion. */
  readonly object: KubernetesObject | undefined
  /** Undefined for a creation. */
  readonly oldObject: KubernetesObject | undefined
  readonly caller: Caller
  readonly manager: string
  readonly dryRun: boolean
  readonly warn: ((sentence: string) => void) | undefined
  /** The original request, if these attributes are the same request in another version. */
  readonly request?: Pick<AdmissionAttributes, 'resource' | 'kind'>
  /** What a namespaceSelector selects: the namespace of the object; for a Namespace itself. Undefined for objects that are always selected. */
  readonly selectedNamespace: KubernetesObject | undefined
  /** The namespace of the object; undefined for cluster-scoped kinds. */
  readonly namespaceObject: Namespace | undefined
}

const optionKinds: Readonly<Record<Operation, string | undefined>> = {
  CREATE: 'CreateOptions',
  UPDATE: 'UpdateOptions',
  DELETE: 'DeleteOptions',
  CONNECT: undefined,
}

const shownKind = ({ group, version, kind }: AdmissionAttributes['kind']) => ({ group, version, kind })
const shownResource = ({ group, version, plural }: Kind) => ({ group, version, resource: plural })

/** The `request` of an AdmissionReview, without its uid and objects. */
export function describeRequest(attributes: AdmissionAttributes) {
  const { operation, resource, subresource, namespace, name, kind, caller, manager, dryRun } = attributes
  const requested = attributes.request ?? attributes
  const options = optionKinds[operation]
  return {
    kind: shownKind(kind),
    resource: shownResource(resource),
    ...(subresource !== '' && { subResource: subresource }),
    requestKind: shownKind(requested.kind),
    requestResource: shownResource(requested.resource),
    ...(subresource !== '' && { requestSubResource: subresource }),
    ...(name !== '' && { name }),
    ...(namespace !== '' && { namespace }),
    operation,
    userInfo: {
      username: caller.name,
      ...(caller.uid && { uid: caller.uid }),
      ...(caller.groups.length > 0 && { groups: caller.groups }),
      ...(caller.extra && { extra: caller.extra }),
    },
    dryRun,
    options: options && {
      kind: options,
      apiVersion: 'meta.k8s.io/v1',
      ...(operation !== 'DELETE' && manager !== '' && { fieldManager: manager }),
      ...(dryRun && { dryRun: ['All'] }),
    },
  }
}

/** The name in a refusal. A generated name does not exist yet. */
export const shownName = ({ name, object }: AdmissionAttributes): string => name || object?.metadata?.generateName || 'Unknown'

/** With kind and apiVersion, which objects in the process may lack. */
export const withKind = (attributes: AdmissionAttributes, object: KubernetesObject | undefined): object | null =>
  object === undefined ? null : { ...object, kind: attributes.kind.kind, apiVersion: apiVersionOf(attributes.kind) }
