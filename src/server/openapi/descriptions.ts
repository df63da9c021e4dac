// The descriptions of fields and types in OpenAPI documents, which `kubectl explain` prints. The build extracts those of Kubernetes from its
// npm packages into a file beside the program; without the file they are missing. Those of Rollcall's own fields are here.
// Ours: texts come from packages when building.
import { readFileSync } from 'node:fs'
import { type FeatureGateName, featureGates } from '../../api/machinery/feature-gates.ts'

/** By type (`V1DeploymentSpec`, its name in the client library), then by field. The description of the type itself has the key ''. */
export type Descriptions = Readonly<Record<string, Readonly<Record<string, string>>>>

export interface Describe {
  type(typeName: string): string | undefined
  field(typeName: string, field: string): string | undefined
}

/** Beside the built program, and relative to the sources. */
const paths = ['./openapi-descriptions.json', '../../../dist/openapi-descriptions.json']

export function readDescriptions(): Descriptions {
  for (const path of paths) {
    try {
      return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as Descriptions
    } catch {
      // Not built there.
    }
  }
  return {}
}

export function createDescribe(descriptions: Descriptions): Describe {
  const field = (typeName: string, name: string) => {
    const known = modelName(typeName)
    const own = ownDescriptions[typeName]?.[name]
    const theirs = Object.hasOwn(descriptions, known) ? descriptions[known] : undefined
    const usual = name === 'metadata' && typeName.endsWith('List') ? listMetadata : structFields[name]
    return own ?? theirs?.[name] ?? (theirs === undefined ? undefined : usual)
  }
  return { type: (typeName) => field(typeName, ''), field }
}

/** The name of a type in the client library. */
function modelName(typeName: string): string {
  const dot = typeName.indexOf('.')
  const [, version = 'v1'] = typeName.slice(0, dot).split('/')
  const name = typeName.slice(dot + 1)
  return clashing[typeName] ?? `V${version.slice(1)}${name}`
}

/** Types of two groups with one name. */
const clashing: Readonly<Record<string, string>> = {
  'core.Event': 'CoreV1Event',
  'core.EventList': 'CoreV1EventList',
  'core.EventSeries': 'CoreV1EventSeries',
  'events.Event': 'EventsV1Event',
  'events.EventList': 'EventsV1EventList',
  'events.EventSeries': 'EventsV1EventSeries',
  'core.EndpointPort': 'CoreV1EndpointPort',
  'discovery.EndpointPort': 'DiscoveryV1EndpointPort',
  'core.ResourceClaim': 'CoreV1ResourceClaim',
  'authentication.TokenRequest': 'AuthenticationV1TokenRequest',
  'storage.TokenRequest': 'StorageV1TokenRequest',
  'resource.ResourceClaim': 'ResourceV1ResourceClaim',
  'rbac.Subject': 'RbacV1Subject',
  'flowcontrol.Subject': 'FlowcontrolV1Subject',
  'admissionregistration.ServiceReference': 'AdmissionregistrationV1ServiceReference',
  'admissionregistration.WebhookClientConfig': 'AdmissionregistrationV1WebhookClientConfig',
  'apiextensions.ServiceReference': 'ApiextensionsV1ServiceReference',
  'apiextensions.WebhookClientConfig': 'ApiextensionsV1WebhookClientConfig',
  'apiregistration.ServiceReference': 'ApiregistrationV1ServiceReference',
}

const listMetadata = 'The metadata of the list: its version, and where it continues.'

/** The packages have no descriptions of some fields that are structs. These replace the description of the struct. */
const structFields: Readonly<Record<string, string>> = {
  affinity: 'The scheduling constraints of the pod.',
  lastState: 'Details about the last termination of the container.',
  lifecycle: 'Actions after the container has started and before it is stopped.',
  livenessProbe: 'When it fails, the container is restarted.',
  metadata: 'The metadata of the object: name, namespace, labels, annotations and more.',
  readinessProbe: 'While it fails, the pod gets no traffic.',
  resources: 'The requested resources, and the limits of their use.',
  rollingUpdate: 'The limits of a rolling update.',
  securityContext: 'The privileges and users of the processes.',
  selector: 'Selects objects by their labels.',
  spec: 'The desired state of the object.',
  startupProbe: 'Until it succeeds, the other probes wait.',
  state: 'The current state of the container.',
  status: 'The observed state of the object, which controllers write.',
  strategy: 'How old pods are replaced by new ones.',
  template: 'The template of the pods that are created.',
  updateStrategy: 'How old pods are replaced by new ones.',
  valueFrom: 'The source of the value.',
}

/** The sentence about the feature gate that ends a description in Kubernetes. */
function stageOf(gate: FeatureGateName): string {
  const { stage, default: isOn } = featureGates[gate]
  const article = stage === 'ALPHA' ? 'an' : 'a'
  return `This is ${article} ${stage.toLowerCase()} field and requires enabling ${gate} feature (${isOn ? 'enabled' : 'disabled'} by default).`
}

const operationalThreshold =
  'How many pods, as a number or as a percentage of the desired ones, must be available for the Operational condition to be True. ' +
  'A percentage is rounded up; a number above the desired pods means all of them. Nothing is scaled or stopped because of it. Default is 100%. ' +
  `(KEP-2804) ${stageOf('ExtendedWorkloadConditions')}`

const terminatingAsActive =
  'Whether terminating pods count as running until they have terminated, so that no replacement is started before. ' +
  `Default is false. (KEP-3939) ${stageOf('TerminatingAsActive')}`

const progressDeadlineSeconds =
  'How long, in seconds, a rollout may make no progress before the Progressing condition turns False with the reason ProgressDeadlineExceeded. ' +
  `Nothing is rolled back. Default is 2147483647, no deadline. (KEP-2804) ${stageOf('ExtendedWorkloadConditions')}`

const lastUpdateTime = `When the rollout last made progress, or the condition last changed: the deadline counts from here. Only in Progressing. (KEP-2804) ${stageOf('ExtendedWorkloadConditions')}`

const terminatingReplicas =
  'How many pods are terminating: they have a deletionTimestamp and have not reached the phase Succeeded or Failed. Absent means unknown. ' +
  `(KEP-3973) ${stageOf('DeploymentReplicaSetTerminatingReplicas')}`

/** The fields that the proposals add, and those of which the packages name an outdated stage. */
const ownDescriptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'apps.DeploymentSpec': {
    podReplacementPolicy:
      'When a terminating pod is replaced. TerminationStarted: as soon as it is terminating, so that both may exist for a while. ' +
      'TerminationComplete: when it has terminated, so that terminating pods count towards replicas and maxSurge. ' +
      'If it is not set, a rolling update does not wait, and Recreate waits for old pods to terminate only during a rollout, not when it scales. (KEP-5882) ' +
      stageOf('DeploymentPodReplacementPolicy'),
    terminatingAsActive,
    operationalThreshold,
  },
  'apps.DeploymentStatus': { terminatingReplicas },
  'apps.ReplicaSetSpec': { terminatingAsActive, operationalThreshold },
  'apps.ReplicaSetStatus': { terminatingReplicas },
  'core.ReplicationControllerSpec': { operationalThreshold },
  'apps.StatefulSetSpec': { progressDeadlineSeconds, operationalThreshold },
  'apps.DaemonSetSpec': { progressDeadlineSeconds, operationalThreshold },
  'apps.StatefulSetCondition': { lastUpdateTime },
  'apps.DaemonSetCondition': { lastUpdateTime },
  'batch.JobSpec': {
    terminatingAsActive:
      'Whether terminating pods count as active until they have terminated, so that no replacement is started before. ' +
      'It has the effect of podReplacementPolicy: Failed, and is refused together with another policy. (KEP-3939) ' +
      stageOf('TerminatingAsActive'),
  },
}
