// Opt-in by annotation and label in virtual time: the list for the policy, and the answers of the webhook.
import { describe, expect, it } from 'vitest'
import { deployments, jobs, mutatingAdmissionPolicies, mutatingAdmissionPolicyBindings, roles } from '../../api/kinds.ts'
import { defaultFeatureGates } from '../../api/machinery/feature-gates.ts'
import { notFoundError } from '../../api/machinery/status-error.ts'
import { VirtualClock } from '../../base/virtual-clock.ts'
import type { Client } from '../../client/client.ts'
import { OptIns } from '../../controllers/pacer/opt-ins.ts'
import { SharedInformers } from '../../runtime/shared-informers.ts'
import { readAdmissionState, startAdmissionProof } from '../remote/admission-proof.ts'
import { startVirtualCluster } from '../virtual-cluster.ts'
import { policyObjects } from './pacer-admission-objects.ts'
import { startOptInList } from './pacer-opt-in-list.ts'
import { reviewPod } from './pacer-webhook.ts'

const annotated = (value: string) => ({ annotations: { 'rollcall.dev/pod-replacement-policy': value } })
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'example/web:1' }] } }
const deployment = (name: string, metadata: object) =>
  ({ metadata: { name, ...metadata }, spec: { replicas: 0, selector: { matchLabels: { app: 'web' } }, template } }) as never
const job = (name: string, metadata: object) =>
  ({ metadata: { name, ...metadata }, spec: { suspend: true, template: { spec: { ...template.spec, restartPolicy: 'Never' } } } }) as never

async function open() {
  const clock = new VirtualClock()
  const failures: unknown[] = []
  const onFailure = (what: string, error: unknown) => failures.push([what, error])
  const { client } = await startVirtualCluster({ clock, seed: 1, gates: defaultFeatureGates, nodes: [{ count: 1 }], onFailure })
  const informers = new SharedInformers({ client, clock, onFailure })
  const optIns = new OptIns(informers)
  informers.start()
  await clock.runUntilSettled(informers.synced)
  const ref = { namespace: 'kube-system', name: 'rollcall-pacer' }
  return { clock, client, optIns, onFailure, failures, ref }
}

describe('the list of workloads with the annotation', () => {
  it('follows the workloads, and repairs what others change', async () => {
    const { clock, client, optIns, onFailure, failures, ref } = await open()
    const list = startOptInList({ client, clock, optIns, ...ref, onFailure })
    const read = async () => {
      await clock.advance(1000)
      return (await client.get(roles, ref)).metadata.annotations ?? {}
    }
    expect(await read()).toEqual({})
    await client.create(deployments, 'default', deployment('web', annotated('TerminationComplete')))
    await client.create(deployments, 'default', deployment('plain', {}))
    await client.create(jobs, 'default', job('work', annotated('TerminationStarted')))
    expect(await read()).toEqual({ 'workloads.rollcall.dev/default': 'Deployment/web=TerminationComplete\nJob/work=TerminationStarted' })
    await client.delete(deployments, { namespace: 'default', name: 'web' })
    await client.patch(jobs, { namespace: 'default', name: 'work' }, 'merge', { metadata: { annotations: null } })
    expect(await read()).toEqual({})
    const annotations = { 'workloads.rollcall.dev/default': 'Deployment/other=TerminationComplete', 'example.com/own': 'kept' }
    await client.patch(roles, ref, 'merge', { metadata: { annotations } })
    await clock.advance(5_000)
    expect(await read()).toEqual({ 'example.com/own': 'kept' })
    await client.delete(roles, ref)
    await clock.advance(5_000)
    expect(await read()).toEqual({})
    await list.stop()
    expect(failures).toEqual([])
  })

  it('takes no text of users into the list, which all namespaces share', async () => {
    const { clock, client, optIns, onFailure, failures, ref } = await open()
    const list = startOptInList({ client, clock, optIns, ...ref, onFailure })
    await client.create(deployments, 'default', deployment('web', annotated('x\nDeployment/other=TerminationComplete')))
    await client.create(deployments, 'default', deployment('long', annotated('x'.repeat(200_000))))
    await clock.advance(1000)
    expect((await client.get(roles, ref)).metadata.annotations).toEqual({
      'workloads.rollcall.dev/default': 'Deployment/long=invalid\nDeployment/web=invalid',
    })
    await list.stop()
    expect(failures).toEqual([])
  })
})

describe('the proof that the policy has an effect', () => {
  const names = { namespace: 'kube-system', list: 'rollcall-pacer-workloads', policy: 'rollcall-pacer' }
  /** As over HTTP, where a version that is not served is not found. */
  const overHttp = (client: Client): Client => ({
    ...client,
    get: (kind, ref) => (kind.version === 'v1beta1' ? Promise.reject(notFoundError(kind, ref.name)) : client.get(kind, ref)),
  })

  it('fails without a policy, without its binding, and while there is no list', async () => {
    const client = overHttp((await open()).client)
    const [policy, binding, list] = policyObjects({ name: 'rollcall-pacer', namespace: 'kube-system' })
    expect(await readAdmissionState(client, names)).toBe('missing')
    await client.create(mutatingAdmissionPolicies, undefined, policy as never)
    await client.create(roles, 'kube-system', list as never)
    expect(await readAdmissionState(client, names)).toBe('waiting')
    await client.create(mutatingAdmissionPolicyBindings, undefined, binding as never)
    expect(await readAdmissionState(client, names)).toBe('in effect')
    await client.delete(roles, { namespace: 'kube-system', name: names.list })
    expect(await readAdmissionState(client, names)).toBe('waiting')
  })

  it('is asked for until it has one, and writes nothing', async () => {
    const { clock, client, failures, onFailure } = await open()
    const options = { client: overHttp(client), clock, ...names, onFailure }
    const states: string[] = []
    const proof = startAdmissionProof({ ...options, onChange: (state) => void states.push(state) })
    await clock.advance(10_000)
    for (const [kind, object, namespace] of [
      [mutatingAdmissionPolicies, 0, undefined],
      [mutatingAdmissionPolicyBindings, 1, undefined],
      [roles, 2, 'kube-system'],
    ] as const) {
      await client.create(kind as never, namespace, policyObjects({ name: 'rollcall-pacer', namespace: 'kube-system' })[object] as never)
      await clock.advance(10_000)
    }
    expect(states).toEqual(['missing', 'waiting', 'in effect'])
    expect((await client.get(roles, { namespace: 'kube-system', name: names.list })).metadata.annotations).toBeUndefined()
    await proof.stop()
    expect(failures).toEqual([])
  })
})

describe('the webhook', () => {
  const pod = (schedulingGates?: readonly object[]) => ({
    metadata: {
      labels: { 'pod-template-hash': 'abc' },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-abc', uid: 'u', controller: true }],
    },
    spec: { containers: [], ...(schedulingGates && { schedulingGates }) },
  })
  const patchIn = (review: object) => {
    const { response } = review as { response: { uid: string; allowed: boolean; patch?: string } }
    expect([response.uid, response.allowed]).toEqual(['r1', true])
    return response.patch && (JSON.parse(Buffer.from(response.patch, 'base64').toString()) as unknown)
  }

  it('adds the gate for an annotation of the Deployment, and for a label of the namespace', async () => {
    const { clock, client, optIns } = await open()
    const review = (object: object, ofNamespace?: string) =>
      patchIn(reviewPod({ request: { uid: 'r1', namespace: 'default', object } }, optIns, ofNamespace))
    const gate = { name: 'rollcall.dev/pacer' }
    expect(review(pod())).toBeUndefined()
    expect(review(pod(), 'TerminationComplete')).toEqual([{ op: 'add', path: '/spec/schedulingGates', value: [gate] }])
    await client.create(deployments, 'default', deployment('web', annotated('TerminationComplete')))
    await clock.advance(1000)
    expect(review(pod([{ name: 'example.com/quota' }]))).toEqual([{ op: 'add', path: '/spec/schedulingGates/-', value: gate }])
    expect(review(pod([gate]))).toBeUndefined()
    expect(patchIn(reviewPod({ request: { uid: 'r1' } }, optIns, 'TerminationComplete'))).toBeUndefined()
  })
})
