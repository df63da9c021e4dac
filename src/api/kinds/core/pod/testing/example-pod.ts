// A pod with its defaults, which tests change to make it invalid.

import { expect, it } from 'vitest'
import { defaultFeatureGates } from '../../../../machinery/feature-gates.ts'
import { type FieldError, fieldErrorMessage } from '../../../../machinery/field-error.ts'
import type { Pod, Writable } from '../../../../types.ts'
import { validatePod } from '../validation.ts'

type WritablePod = Writable<Pod>
/** Has every part that tests change. */
export type ExamplePod = WritablePod & {
  metadata: NonNullable<WritablePod['metadata']> & { annotations: Record<string, string> }
  spec: NonNullable<WritablePod['spec']>
  status: NonNullable<WritablePod['status']>
}
export type ExampleContainer = ExamplePod['spec']['containers'][number]

export const context = { gates: defaultFeatureGates }

export const exampleContainer = (more: Partial<ExampleContainer> = {}): ExampleContainer => ({
  name: 'main',
  image: 'nginx',
  imagePullPolicy: 'IfNotPresent',
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  resources: {},
  ...more,
})

export const examplePod = (): ExamplePod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default', uid: 'u', resourceVersion: '1', annotations: {} },
  spec: {
    restartPolicy: 'Always',
    dnsPolicy: 'ClusterFirst',
    terminationGracePeriodSeconds: 30,
    schedulerName: 'default-scheduler',
    securityContext: {},
    serviceAccountName: 'default',
    serviceAccount: 'default',
    enableServiceLinks: true,
    volumes: [{ name: 'data', emptyDir: {} }],
    containers: [exampleContainer()],
  },
  status: { phase: 'Pending', qosClass: 'BestEffort' },
})

export type ContainerRow = readonly [name: string, container: Partial<ExampleContainer>, messages: readonly string[]]
export type SpecRow = readonly [name: string, spec: Partial<ExamplePod['spec']>, messages: readonly string[]]

/** The path of the container of the example. */
export const containerPath = 'spec.containers[0]'

/** A test for each row: the pod with such a container is refused with these messages. */
export function testContainers(rows: readonly ContainerRow[]): void {
  it.each(rows)('%s', (_name, change, messages) => {
    const pod = examplePod()
    pod.spec.containers = [exampleContainer(change)]
    expect(messagesOf(validatePod(pod, context))).toEqual(messages)
  })
}

/** A test for each row: the pod with such fields in its spec is refused with these messages. */
export function testSpecs(rows: readonly SpecRow[]): void {
  it.each(rows)('%s', (_name, change, messages) => {
    const pod = examplePod()
    pod.spec = { ...pod.spec, ...change }
    expect(messagesOf(validatePod(pod, context))).toEqual(messages)
  })
}

export type PodChange = (pod: ExamplePod) => void
export const nothing: PodChange = () => {}

/** The example with a change. */
export function changed(change: PodChange): ExamplePod {
  const pod = examplePod()
  change(pod)
  return pod
}

export const messagesOf = (errors: readonly FieldError[]) => errors.map(fieldErrorMessage)

export const labelRule =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
export const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
export const keyRule =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
export const valueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
