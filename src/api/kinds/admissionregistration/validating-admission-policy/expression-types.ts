// The types of the variables that expressions of policies and match conditions read.
// Kubernetes: k8s.io/apiserver/pkg/admission/plugin/cel.BuildRequestType, BuildNamespaceType, OptionalVariableDeclarations
import {
  bool,
  type CelType,
  dyn,
  int,
  listOf,
  mapOf,
  type ObjectType,
  string,
  timestamp,
  typeName,
} from '../../../machinery/cel/cel-type.ts'

/** A type with these fields. */
export function objectOf(name: string, fields: ReadonlyMap<string, CelType>): ObjectType {
  return {
    kind: 'object',
    name,
    fieldOf(field) {
      const type = fields.get(field)
      return type === undefined ? undefined : { type, jsonName: field }
    },
  }
}

const typed = (name: string, fields: Readonly<Record<string, CelType>>) => objectOf(`kubernetes.${name}`, new Map(Object.entries(fields)))

const groupVersionKind = typed('GroupVersionKind', { group: string, version: string, kind: string })
const groupVersionResource = typed('GroupVersionResource', { group: string, version: string, resource: string })

export const requestType = typed('AdmissionRequest', {
  kind: groupVersionKind,
  resource: groupVersionResource,
  subResource: string,
  requestKind: groupVersionKind,
  requestResource: groupVersionResource,
  requestSubResource: string,
  name: string,
  namespace: string,
  operation: string,
  userInfo: typed('UserInfo', { username: string, uid: string, groups: listOf(string), extra: mapOf(string, listOf(string)) }),
  dryRun: bool,
  options: dyn,
})

const namespaceCondition = typed('NamespaceCondition', {
  status: string,
  type: string,
  lastTransitionTime: timestamp,
  message: string,
  reason: string,
})

export const namespaceType = typed('Namespace', {
  metadata: typed('NamespaceMetadata', {
    name: string,
    generateName: string,
    namespace: string,
    labels: mapOf(string, string),
    annotations: mapOf(string, string),
    UID: string,
    creationTimestamp: timestamp,
    deletionGracePeriodSeconds: int,
    deletionTimestamp: timestamp,
    generation: int,
    resourceVersion: string,
    finalizers: listOf(string),
  }),
  spec: typed('NamespaceSpec', { finalizers: listOf(string) }),
  status: typed('NamespaceStatus', { conditions: listOf(namespaceCondition), phase: string }),
})

export const patchType = objectOf(
  'JSONPatch',
  new Map<string, CelType>([
    ['op', string],
    ['path', string],
    ['from', string],
    ['value', dyn],
  ]),
)

const shownNames: Readonly<Record<string, string>> = {
  null: 'null_type',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
}

/** The type as messages about results name it. */
export const resultName = (type: CelType): string => typeName(type, shownNames)
