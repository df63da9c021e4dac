import { describe, expect, it } from 'vitest'
import { deployments, pods, replicaSets } from '../../api/kinds.ts'
import { defaultFeatureGates } from '../../api/machinery/feature-gates.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import type { KubernetesObject, Stored } from '../../api/types.ts'
import type { Change } from '../../cluster/virtual-cluster.ts'
import { checkDeployments } from './deployment-rules.ts'

const ownedBy = (uid: string) => ({ ownerReferences: [{ apiVersion: 'apps/v1', kind: 'X', name: uid, uid, controller: true }] })
const template = (image: string, labels: object = {}) => ({
  metadata: { labels: { app: 'x', ...labels } },
  spec: { containers: [{ name: 'c', image }] },
})
const rolling = (maxSurge: number) => ({ type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable: 1 } })

/** What users and controllers write, and the lines that the rules answer with. */
class Story {
  nowMs = 0
  lagMs = 0
  isUserWriting = false
  readonly found: string[] = []
  readonly #check = checkDeployments({
    gates: defaultFeatureGates,
    time: { now: () => this.nowMs, lagMs: () => this.lagMs },
    isUserWriting: () => this.isUserWriting,
  })

  #write(kind: { readonly plural: string }, name: string, object: object, verb: Change['verb'] = 'update'): void {
    const { metadata, ...rest } = object as { metadata?: object }
    const whole = { metadata: { name, namespace: 'default', uid: name, resourceVersion: '1', ...metadata }, ...rest }
    const change = {
      verb,
      kind,
      key: `default/${name}`,
      revision: 1,
      object: whole as Stored<KubernetesObject>,
      controller: controllerOf(whole),
    } as Change
    this.found.push(...this.#check(change))
    this.nowMs++
  }

  /** As often as it is called, the generation has grown, and the controller has observed it. */
  #generation = 0
  deployment(spec: object, reason = 'ReplicaSetUpdated'): void {
    const generation = ++this.#generation
    this.#write(deployments, 'web', {
      metadata: { generation },
      spec: {
        replicas: 4,
        selector: { matchLabels: { app: 'x' } },
        strategy: rolling(1),
        podReplacementPolicy: 'TerminationComplete',
        template: template('a:2'),
        ...spec,
      },
      status: { observedGeneration: generation, conditions: [{ type: 'Progressing', status: 'True', reason }] },
    })
  }

  set(name: string, image: string, replicas: number, status: object = {}, more: { metadata?: object; spec?: object } = {}): void {
    const scaled = { 'deployment.kubernetes.io/desired-replicas': '4', 'deployment.kubernetes.io/max-replicas': '5' }
    this.#write(replicaSets, name, {
      metadata: { ...ownedBy('web'), creationTimestamp: '2026-11-01T12:00:00Z', annotations: scaled, ...more.metadata },
      spec: { replicas, template: template(image, { 'pod-template-hash': name }), ...more.spec },
      status: { observedGeneration: 1, replicas, terminatingReplicas: 0, ...status },
    })
  }

  deleteSet(name: string): void {
    this.#write(replicaSets, name, { metadata: ownedBy('web') }, 'delete')
  }

  /** `setName`: of the set, where it is not the one that the Deployment gives it. */
  pod(name: string, set: string, setName = `web-${set}`): void {
    const controller = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: setName, uid: set, controller: true }
    const labels = { app: 'x', 'pod-template-hash': set }
    this.#write(pods, name, { metadata: { labels, ownerReferences: [controller] }, status: { phase: 'Running' } })
  }
}

/** A rollout from `old` to `new`, with room for one pod. */
const inRollout = (spec: object = {}) => {
  const story = new Story()
  story.deployment(spec)
  story.set('old', 'a:1', 3)
  story.set('new', 'a:2', 1)
  return story
}

describe('checkDeployments()', () => {
  it.each<[string, (story: Story) => void, RegExp | undefined]>([
    ['the new set grows into the room', (story) => story.set('new', 'a:2', 2, { replicas: 1 }), undefined],
    [
      'the new set grows beyond it',
      (story) => story.set('new', 'a:2', 3, { replicas: 1 }),
      /new grows by 2 to 3 where its Deployment has room for 1/,
    ],
    [
      'terminating pods take the room',
      (story) => {
        story.set('old', 'a:1', 2, { terminatingReplicas: 1 })
        story.set('new', 'a:2', 3, { replicas: 1 })
      },
      /grows by 2 to 3 where its Deployment has room for 1/,
    ],
    [
      'a set that counts terminating pods as active counts them once',
      (story) => {
        story.set('old', 'a:1', 3, { replicas: 2, terminatingReplicas: 1 }, { spec: { terminatingAsActive: true } })
        story.set('new', 'a:2', 2, { replicas: 1 })
      },
      undefined,
    ],
    [
      'a set that grows no longer counts terminating pods as active, and replaces them',
      (story) => {
        story.set('new', 'a:2', 1, { replicas: 0, terminatingReplicas: 1 }, { spec: { terminatingAsActive: true } })
        story.set('new', 'a:2', 2, { replicas: 0, terminatingReplicas: 1 })
      },
      /grows by 1 to 2 where its Deployment has room for 0/,
    ],
    [
      'pods of a deleted set take the room',
      (story) => {
        for (const name of ['p', 'q', 'r']) story.pod(name, 'old')
        story.deleteSet('old')
        story.set('new', 'a:2', 4, { replicas: 1 })
      },
      /grows by 3 to 4 where its Deployment has room for 1/,
    ],
    [
      'pods of a deleted set that had another name take none',
      (story) => {
        for (const name of ['p', 'q', 'r']) story.pod(name, 'old', 'other-old')
        story.deleteSet('old')
        story.set('new', 'a:2', 4, { replicas: 1 })
      },
      undefined,
    ],
    [
      'the terminating pods are unknown',
      (story) => {
        story.set('old', 'a:1', 3, { terminatingReplicas: undefined })
        story.set('new', 'a:2', 2, { replicas: 1 })
      },
      /while the number of terminating pods is unknown/,
    ],
    [
      'the controller has not observed the last moment yet',
      (story) => {
        story.lagMs = 100
        story.nowMs = 1000
        story.set('old', 'a:1', 3, { terminatingReplicas: 1 })
        story.nowMs = 1100
        story.set('new', 'a:2', 2, { replicas: 1 })
      },
      undefined,
    ],
    [
      'the controller must have observed it',
      (story) => {
        story.lagMs = 100
        story.nowMs = 1000
        story.set('old', 'a:1', 3, { terminatingReplicas: 1 })
        story.nowMs = 1101
        story.set('new', 'a:2', 2, { replicas: 1 })
      },
      /has room for 0/,
    ],
    [
      'a user scales the set',
      (story) => {
        story.isUserWriting = true
        story.set('new', 'a:2', 9, { replicas: 1 })
      },
      undefined,
    ],
    ['the new set shrinks', (story) => story.set('new', 'a:2', 0), /new, the new one, shrinks from 1 to 0/],
    ['an old set shrinks', (story) => story.set('old', 'a:1', 2), undefined],
    [
      'the new set shrinks with its Deployment',
      (story) => {
        story.deployment({ replicas: 2 })
        story.set('new', 'a:2', 0)
      },
      undefined,
    ],
    [
      'a paused Deployment scales a set of its own accord',
      (story) => {
        story.deployment({ paused: true })
        story.set('old', 'a:1', 4, { replicas: 3 })
      },
      /grows by 1 to 4 while its Deployment is paused/,
    ],
    [
      'a paused Deployment is scaled',
      (story) => {
        story.deployment({ paused: true, replicas: 5 })
        story.set('old', 'a:1', 4, { replicas: 3 })
      },
      undefined,
    ],
    [
      'it is complete while pods terminate',
      (story) => {
        story.set('old', 'a:1', 0, { terminatingReplicas: 2 })
        story.deployment({}, 'NewReplicaSetAvailable')
        story.deployment({}, 'ReplicaSetUpdated')
        story.deployment({}, 'NewReplicaSetAvailable')
      },
      /is called complete while 2 of its pods terminate/,
    ],
  ])('%s', (_, play, expected) => {
    const story = inRollout()
    play(story)
    if (expected === undefined) expect(story.found).toEqual([])
    else expect(story.found.join()).toMatch(expected)
  })

  it('checks only that a pause changes no size for a Deployment without the policy', () => {
    const story = inRollout({ podReplacementPolicy: undefined })
    story.set('new', 'a:2', 9, { replicas: 1 })
    expect(story.found).toEqual([])
  })

  it('holds Recreate back until the old pods have terminated', () => {
    const story = new Story()
    story.deployment({ strategy: { type: 'Recreate' } })
    story.set('old', 'a:1', 0)
    story.pod('p', 'old')
    story.set('new', 'a:2', 1, { observedGeneration: 0, replicas: 0 })
    expect(story.found).toEqual(['ReplicaSet new grows by 1 to 1 though Recreate has to wait until all old pods have terminated'])
  })
})
