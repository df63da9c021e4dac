// Kubernetes: pkg/apis/core/v1.SetDefaults_Pod, SetDefaults_PodSpec, defaultHostNetworkPorts
import { fill, replaceFields } from '../../../machinery/fields.ts'
import { roundResources } from '../../../machinery/resource-rounding.ts'
import type { Container, Deployment, Pod, PodSpec, Probe, Writable } from '../../../types.ts'
import { defaultPullPolicy } from './image-pull-policy.ts'
import { defaultPodLevelResources, defaultRequestsToLimits, roundRequirements } from './resources.ts'
import { defaultVolume } from './volume-defaults.ts'

type WritableSpec = Writable<PodSpec>
type WritableContainer = Writable<Container>
type Template = NonNullable<Writable<Deployment>['spec']>['template']

export function defaultSpecOfPod(pod: Writable<Pod>): void {
  const spec = pod.spec ?? ({ containers: [] } as WritableSpec)
  for (const containers of [spec.containers, spec.initContainers])
    for (const container of containers ?? [])
      if (container.resources?.limits) container.resources = defaultRequestsToLimits(container.resources)!
  defaultPodLevelResources(spec)
  const hostNetwork = spec.hostNetwork === true
  if (hostNetwork) {
    defaultHostPorts(spec.containers)
    defaultHostPorts(spec.initContainers)
  }
  // A negative period would never end.
  if (spec.terminationGracePeriodSeconds !== undefined && spec.terminationGracePeriodSeconds < 0) spec.terminationGracePeriodSeconds = 1
  pod.spec = defaultPodSpec(spec, true)
}

export function defaultPodBesideSpec(pod: Writable<Pod>): void {
  dropInitContainerAnnotations(pod)
  if (pod.status) {
    roundStatus(pod.status)
    pod.status = alignPodIps(pod.status)
  }
}

/**
 * The defaults of every pod spec, in a pod or in a template. Templates do not get defaults that Kubernetes added later (service links), so
 * that stored templates do not change.
 */
function defaultPodSpec(spec: WritableSpec, inPod = false): WritableSpec {
  if (spec.volumes) spec.volumes = spec.volumes.map(defaultVolume)
  if (spec.initContainers) spec.initContainers = spec.initContainers.map((one) => defaultContainer('core.Container', one))
  if (spec.containers) spec.containers = spec.containers.map((one) => defaultContainer('core.Container', one))
  if (spec.ephemeralContainers)
    spec.ephemeralContainers = spec.ephemeralContainers.map((one) => defaultContainer('core.EphemeralContainer', one))
  roundResources(spec.overhead)
  roundRequirements(spec.resources)
  // Two names for one field: the older one is set to the value of the newer.
  const serviceAccountName = spec.serviceAccountName ?? spec.serviceAccount
  if (spec.serviceAccount !== undefined && serviceAccountName !== undefined) spec.serviceAccount = serviceAccountName
  return fill('core.PodSpec', spec, {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    serviceAccountName,
    serviceAccount: serviceAccountName,
    securityContext: {},
    schedulerName: 'default-scheduler',
    ...(inPod && { enableServiceLinks: true }),
  })
}

export function defaultPodTemplate(template: Template | undefined | null): Template {
  const filled = fill('core.PodTemplateSpec', template, { metadata: {}, spec: { containers: [] } as WritableSpec })
  filled.spec = defaultPodSpec(filled.spec!)
  dropInitContainerAnnotations(filled)
  return filled
}

/** With the host's network, a container's port is the host's port. */
function defaultHostPorts(containers: WritableContainer[] | undefined): void {
  for (const container of containers ?? [])
    if (container.ports)
      container.ports = container.ports.map((port) =>
        port.hostPort ? port : replaceFields('core.ContainerPort', port, { hostPort: port.containerPort || undefined }),
      )
}

type Status = NonNullable<Writable<Pod>['status']>

function roundStatus(status: Status): void {
  for (const list of [status.initContainerStatuses, status.containerStatuses, status.ephemeralContainerStatuses])
    for (const one of list ?? []) {
      roundResources(one.allocatedResources)
      roundRequirements(one.resources)
    }
}

/** podIP is the first of podIPs. Where they differ, podIP wins: older kubelets set only podIP. */
function alignPodIps(status: Status): Status {
  const { podIP, podIPs } = status
  const first = podIPs?.[0]?.ip || undefined
  if (podIP === first) return status
  return replaceFields('core.PodStatus', status, podIP ? { podIPs: [{ ip: podIP }] } : { podIP: first })
}

const initContainerAnnotations = ['beta', 'alpha'].flatMap((stage) => [
  `pod.${stage}.kubernetes.io/init-containers`,
  `pod.${stage}.kubernetes.io/init-container-statuses`,
])

/** Init containers were annotations in early versions. Such annotations are dropped. */
function dropInitContainerAnnotations({ metadata }: { metadata?: { annotations?: Record<string, string> } }): void {
  const annotations = metadata?.annotations
  if (!annotations || !initContainerAnnotations.some((key) => Object.hasOwn(annotations, key))) return
  const kept = { ...annotations }
  for (const key of initContainerAnnotations) delete kept[key]
  if (Object.keys(kept).length === 0) delete metadata.annotations
  else metadata.annotations = kept
}

// Defaults of containers, probes and hooks.
// Kubernetes: pkg/apis/core/v1.SetDefaults_Container, SetDefaults_EphemeralContainer, SetDefaults_Probe, SetDefaults_HTTPGetAction
// Kubernetes: pkg/apis/core/v1.SetDefaults_ObjectFieldSelector
type WritableProbe = Writable<Probe>
type HttpGet = NonNullable<WritableProbe['httpGet']>

/** A container, an init container (`core.Container`) or an ephemeral one (`core.EphemeralContainer`). */
function defaultContainer<T extends WritableContainer>(type: string, container: T): T {
  if (container.ports) container.ports = container.ports.map((port) => fill('core.ContainerPort', port, { protocol: 'TCP' }))
  for (const { valueFrom } of container.env ?? []) {
    if (valueFrom?.fieldRef) valueFrom.fieldRef = fill('core.ObjectFieldSelector', valueFrom.fieldRef, { apiVersion: 'v1' })
    if (valueFrom?.fileKeyRef) valueFrom.fileKeyRef = fill('core.FileKeySelector', valueFrom.fileKeyRef, { optional: false })
  }
  roundRequirements(container.resources)
  if (container.livenessProbe) container.livenessProbe = defaultProbe(container.livenessProbe)
  if (container.readinessProbe) container.readinessProbe = defaultProbe(container.readinessProbe)
  if (container.startupProbe) container.startupProbe = defaultProbe(container.startupProbe)
  const { postStart, preStop } = container.lifecycle ?? {}
  if (postStart?.httpGet) postStart.httpGet = defaultHttpGet(postStart.httpGet)
  if (preStop?.httpGet) preStop.httpGet = defaultHttpGet(preStop.httpGet)
  const values: WritableContainer = {
    name: '',
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    // Reading the image's name costs more than all the rest.
    imagePullPolicy: container.imagePullPolicy ?? defaultPullPolicy(container.image),
  }
  return fill(type, container, values as T)
}

function defaultProbe(probe: WritableProbe): WritableProbe {
  if (probe.httpGet) probe.httpGet = defaultHttpGet(probe.httpGet)
  if (probe.grpc) probe.grpc = fill('core.GRPCAction', probe.grpc, { service: '' })
  return fill('core.Probe', probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 })
}

function defaultHttpGet(action: HttpGet): HttpGet {
  return fill('core.HTTPGetAction', action, { path: '/', scheme: 'HTTP' })
}
