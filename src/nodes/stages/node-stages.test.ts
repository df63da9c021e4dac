import { afterEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { nodes } from '../../api/kinds.ts'
import { type ControllerBench, openControllerBench } from '../../cluster/testing/controller-bench.ts'
import { startFleet } from '../fleet.ts'
import { virtualTiming } from '../kubelet/pod-settings.ts'
import { planNodes } from '../node-object.ts'
import type { Stage } from './stage.ts'

const stage = (name: string, spec: string) =>
  parse(`
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: ${name} }
spec:
  resourceRef: { apiGroup: v1, kind: Node }
${spec}`) as Stage

const setUp = stage(
  'set-up',
  `
  selector:
    matchExpressions:
    - { key: '.status.conditions.[] | select( .type == "Ready" ) | .status', operator: NotIn, values: ['True'] }
  next:
    statusTemplate: |
      {{ $now := Now }}
      conditions:
      {{ range NodeConditions }}
      - type: {{ .type | Quote }}
        status: {{ .status | Quote }}
        reason: {{ .reason | Quote }}
        message: {{ .message | Quote }}
        lastHeartbeatTime: {{ $now | Quote }}
        lastTransitionTime: {{ $now | Quote }}
      {{ end }}
      addresses:
      - { type: InternalIP, address: {{ NodeIP | Quote }} }
      allocatable:
      {{ with .status.allocatable }}
      {{ YAML . 1 }}
      {{ else }}
        cpu: 16
      {{ end }}
      phase: Running`,
)

const beat = stage(
  'beat',
  `
  selector:
    matchExpressions:
    - { key: '.status.phase', operator: In, values: [Running] }
    - { key: '.status.conditions.[] | select( .type == "Ready" ) | .status', operator: In, values: ['True'] }
  delay: { durationMilliseconds: 20000, jitterDurationMilliseconds: 20000 }
  next:
    statusTemplate: |
      conditions:
      - { type: Ready, status: "True", reason: Beaten, message: by a stage, lastHeartbeatTime: {{ Now | Quote }} }
  immediateNextStage: true`,
)

let bench: ControllerBench | undefined
afterEach(async () => {
  await bench?.stop()
  bench = undefined
})

const wait = async (ms: number) => {
  for (let left = ms; left > 0; left -= 1000) {
    bench!.pass(1000)
    await bench!.settle()
  }
}
const ready = async (name: string) => {
  const { status } = await bench!.client.get(nodes, { name })
  return { status, ready: status?.conditions?.find(({ type }) => type === 'Ready') }
}

describe('playNodeStages()', () => {
  it('initializes nodes and keeps them ready by stages', async () => {
    bench = await openControllerBench({
      start: (parts) => startFleet({ ...parts, timing: virtualTiming, nodes: planNodes([{ count: 1 }]), stages: [setUp, beat] }),
    })
    await bench.client.create(nodes, undefined, { metadata: { name: 'fake', annotations: { 'kwok.x-k8s.io/node': 'fake' } } })
    await bench.client.create(nodes, undefined, { metadata: { name: 'other' } })
    await bench.settle()
    await wait(1000)
    expect(await ready('fake')).toMatchObject({
      status: { phase: 'Running', allocatable: { cpu: '16' } },
      ready: { reason: 'KubeletReady' },
    })
    await wait(25_000)
    const first = await ready('fake')
    expect(first.ready).toMatchObject({ status: 'True', reason: 'Beaten' })
    expect((await ready('node-1')).ready?.reason).toBe('Beaten')
    await wait(40_000)
    expect((await ready('fake')).ready?.lastHeartbeatTime).not.toBe(first.ready?.lastHeartbeatTime)
    expect((await ready('other')).ready).toBeUndefined()
    expect(bench.failures.filter((line) => !line.startsWith('heartbeat'))).toEqual([])
  })
})
