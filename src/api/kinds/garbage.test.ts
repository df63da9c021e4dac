// Whatever has the right JSON types can be judged, however strange it is.
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { decode } from '../machinery/decode/decode.ts'
import { defaultFeatureGates } from '../machinery/feature-gates.ts'
import { fieldErrorMessage } from '../machinery/field-error.ts'
import { type FieldType, structOf } from '../machinery/schema/schema.ts'
import * as webhooks from './admissionregistration/validating-webhook-configuration/webhook-validation.ts'
import * as apiService from './apiregistration/api-service/kind.ts'
import * as controllerRevision from './apps/controller-revision/kind.ts'
import * as daemonSet from './apps/daemon-set/validation.ts'
import * as deployment from './apps/deployment/validation.ts'
import * as replicaSet from './apps/replica-set/kind.ts'
import * as statefulSet from './apps/stateful-set/validation.ts'
import * as horizontalPodAutoscaler from './autoscaling/horizontal-pod-autoscaler/validation.ts'
import * as scale from './autoscaling/scale/validation.ts'
import * as cronJob from './batch/cron-job/kind.ts'
import * as jobStatus from './batch/job/status-validation.ts'
import * as job from './batch/job/validation.ts'
import * as lease from './coordination/lease/kind.ts'
import * as configMap from './core/config-map/kind.ts'
import * as endpoints from './core/endpoints/validation.ts'
import * as coreEvent from './core/event/validation.ts'
import * as limitRange from './core/limit-range/validation.ts'
import * as namespace from './core/namespace/kind.ts'
import * as node from './core/node/validation.ts'
import * as persistentVolume from './core/persistent-volume/validation.ts'
import * as persistentVolumeClaim from './core/persistent-volume-claim/validation.ts'
import * as podTemplate from './core/pod-template/kind.ts'
import * as replicationController from './core/replication-controller/kind.ts'
import * as resourceQuota from './core/resource-quota/validation.ts'
import * as secret from './core/secret/kind.ts'
import * as service from './core/service/validation.ts'
import * as endpointSlice from './discovery/endpoint-slice/validation.ts'
import * as event from './events/event/kind.ts'
import * as ingress from './networking/ingress/validation.ts'
import * as ingressClass from './networking/ingress-class/kind.ts'
import * as ipAddress from './networking/ip-address/kind.ts'
import * as networkPolicy from './networking/network-policy/validation.ts'
import * as serviceCidr from './networking/service-cidr/kind.ts'
import * as runtimeClass from './node/runtime-class/kind.ts'
import * as podDisruptionBudget from './policy/pod-disruption-budget/kind.ts'
import * as priorityClass from './scheduling/priority-class/kind.ts'
import * as storageClass from './storage/storage-class/kind.ts'

const text = fc.oneof(
  fc.constantFrom('', 'a', 'None', 'In', 'Exists', 'Indexed', 'RollingUpdate', 'OnDelete', 'Recreate', 'Always', 'ClientIP', '__proto__'),
  fc.constantFrom('10.0.0.1', '::1', '1-2,3', '* * * * *', 'TZ=', '@every 1h', 'LoadBalancer', 'ExternalName', 'Pod', 'Failed', 'Local'),
  fc.string({ unit: 'binary', maxLength: 6 }),
)
const scalars: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  string: text,
  bool: fc.boolean(),
  int32: fc.integer(),
  int64: fc.maxSafeInteger(),
  float64: fc.double({ noNaN: true, noDefaultInfinity: true }),
  bytes: fc.base64String({ maxLength: 8 }),
  Time: fc.constantFrom('2026-01-01T00:00:00Z', '1970-01-01T00:00:00Z'),
  MicroTime: fc.constantFrom('2026-01-01T00:00:00.000000Z'),
  Quantity: fc.constantFrom('0', '1', '-1', '500m', '1Gi', '9223372036854775807'),
  IntOrString: fc.oneof(fc.integer(), text, fc.constantFrom('0%', '50%', '101%')),
  any: fc.jsonValue({ maxDepth: 1 }),
}

function arbitraryOf(type: FieldType, depth: number): fc.Arbitrary<unknown> {
  switch (type.kind) {
    case 'scalar':
      return scalars[type.scalar] ?? text
    case 'struct':
      return struct(type.name, depth - 1)
    case 'list':
      return fc.array(arbitraryOf(type.of, depth), { maxLength: 2 })
    case 'map':
      return fc.dictionary(text, arbitraryOf(type.of, depth), { maxKeys: 2 })
  }
}

function struct(name: string, depth: number): fc.Arbitrary<object> {
  if (depth <= 0) return fc.constant({})
  const fields = structOf(name).fields.map((field) => [field.name, arbitraryOf(field.type, depth)] as const)
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] })
}

type Judge = (...values: never[]) => { readonly field: string }[]
const kinds: readonly [string, Readonly<Record<string, unknown>>, RegExp?][] = [
  ['apps.Deployment', deployment],
  ['apps.ReplicaSet', replicaSet],
  ['core.ReplicationController', replicationController],
  ['apps.StatefulSet', statefulSet],
  ['apps.DaemonSet', daemonSet],
  ['apps.ControllerRevision', controllerRevision],
  ['batch.Job', job],
  ['batch.Job', jobStatus],
  ['batch.CronJob', cronJob],
  ['policy.PodDisruptionBudget', podDisruptionBudget],
  ['core.PodTemplate', podTemplate],
  ['core.ConfigMap', configMap],
  ['core.Secret', secret],
  ['core.Service', service],
  ['core.Endpoints', endpoints, /Endpoints/],
  ['discovery.EndpointSlice', endpointSlice],
  ['core.Namespace', namespace],
  ['core.Node', node],
  ['core.PersistentVolumeClaim', persistentVolumeClaim, /Claim(?:Status)?(?:Update)?$/],
  ['core.PersistentVolume', persistentVolume],
  ['core.ResourceQuota', resourceQuota],
  ['core.LimitRange', limitRange],
  ['core.Event', coreEvent, /CoreEvent/],
  ['events.Event', event],
  ['coordination.Lease', lease],
  ['scheduling.PriorityClass', priorityClass],
  ['storage.StorageClass', storageClass],
  ['autoscaling.Scale', scale],
  ['networking.NetworkPolicy', networkPolicy],
  ['networking.Ingress', ingress, /Ingress/],
  ['networking.IngressClass', ingressClass],
  ['networking.IPAddress', ipAddress],
  ['networking.ServiceCIDR', serviceCidr],
  ['autoscaling/v2.HorizontalPodAutoscaler', horizontalPodAutoscaler],
  ['admissionregistration.ValidatingWebhookConfiguration', webhooks],
  ['admissionregistration.MutatingWebhookConfiguration', webhooks],
  ['apiregistration.APIService', apiService],
  ['node.RuntimeClass', runtimeClass],
]

describe('validation of well-typed garbage', () => {
  const context = { gates: defaultFeatureGates, nowMs: 0 }
  for (const [type, module, pattern = /^validate/] of kinds) {
    const names = Object.keys(module).filter((name) => name.startsWith('validate') && pattern.test(name))
    it.each(names)(`never throws: %s of ${type}`, (name) => {
      const judge = module[name] as Judge
      const isChange = name.endsWith('Update')
      fc.assert(
        fc.property(struct(type, 6), struct(type, 6), (someNext, someCurrent) => {
          const next = decode(type, someNext).object
          const current = decode(type, someCurrent).object
          const values = (isChange ? [next, current, context] : [next, context]) as never[]
          for (const error of judge(...values)) fieldErrorMessage(error as never)
        }),
        { numRuns: 40 },
      )
    })
  }
})
