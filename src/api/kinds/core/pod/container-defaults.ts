// Defaults of containers, probes and hooks.
// Kubernetes: pkg/apis/core/v1.SetDefaults_Container, SetDefaults_EphemeralContainer, SetDefaults_Probe, SetDefaults_HTTPGetAction
// Kubernetes: pkg/apis/core/v1.SetDefaults_ObjectFieldSelector
import { fill } from '../../../machinery/fields.ts'
import type { Container, Probe, Writable } from '../../../types.ts'
import { defaultPullPolicy } from './image-pull-policy.ts'
import { roundRequirements } from './resources.ts'

type WritableContainer = Writable<Container>
type WritableProbe = Writable<Probe>
type HttpGet = NonNullable<WritableProbe['httpGet']>

/** A container, an init container (`core.Container`) or an ephemeral one (`core.EphemeralContainer`). */
export function defaultContainer<T extends WritableContainer>(type: string, container: T): T {
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
