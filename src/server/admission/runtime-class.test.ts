import { describe, expect, it } from 'vitest'
import { pods, runtimeClasses } from '../../api/kinds.ts'
import type { Pod } from '../../api/types.ts'
import { openBench, refusal } from '../rest/testing/rest-bench.ts'

const sandbox = {
  metadata: { name: 'sandbox' },
  handler: 'gvisor',
  overhead: { podFixed: { cpu: '10m' } },
  scheduling: { nodeSelector: { runtime: 'gvisor' }, tolerations: [{ key: 'sandbox', operator: 'Exists' }] },
}

async function create(spec: object): Promise<Pod> {
  const bench = await openBench()
  await bench.create(runtimeClasses, sandbox)
  await bench.create(runtimeClasses, { metadata: { name: 'plain' }, handler: 'runc' })
  return bench.create(pods, { metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } })
}

describe('the RuntimeClass of a pod', () => {
  it('adds its overhead, its node selector and its tolerations', async () => {
    const own = [{ key: 'sandbox', operator: 'Equal', value: 'x' }]
    const { spec } = await create({ runtimeClassName: 'sandbox', nodeSelector: { disk: 'ssd' }, tolerations: own })
    expect(spec).toMatchObject({ overhead: { cpu: '10m' }, nodeSelector: { disk: 'ssd', runtime: 'gvisor' } })
    expect(spec?.tolerations?.filter(({ key }) => key === 'sandbox')).toEqual([{ key: 'sandbox', operator: 'Exists' }])
  })

  it('compares overheads as quantities, and adds no empty selector', async () => {
    expect((await create({ runtimeClassName: 'sandbox', overhead: { cpu: '0.01' } })).spec?.overhead).toEqual({ cpu: '10m' })
    const bench = await openBench()
    const scheduling = { tolerations: [{ key: 'sandbox', operator: 'Exists' }] }
    await bench.create(runtimeClasses, { metadata: { name: 'tolerant' }, handler: 'runc', scheduling })
    const spec = { containers: [{ name: 'c', image: 'i' }], runtimeClassName: 'tolerant' }
    expect(await bench.create(pods, { metadata: { name: 'a' }, spec })).not.toHaveProperty('spec.nodeSelector')
  })

  it('changes nothing where it says nothing', async () => {
    const { spec } = await create({ runtimeClassName: 'plain' })
    expect(spec).not.toHaveProperty('overhead')
    expect(spec).not.toHaveProperty('nodeSelector')
  })

  it.each([
    ['that does not exist', { runtimeClassName: 'nope' }, 'pod rejected: RuntimeClass "nope" not found'],
    [
      'with another overhead',
      { runtimeClassName: 'sandbox', overhead: { cpu: '1' } },
      "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
    ],
    [
      'without an overhead',
      { runtimeClassName: 'plain', overhead: { cpu: '1' } },
      'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
    ],
    [
      'for other nodes',
      { runtimeClassName: 'sandbox', nodeSelector: { runtime: 'runc' } },
      'conflict: runtimeClass.scheduling.nodeSelector[runtime] = gvisor; pod.spec.nodeSelector[runtime] = runc',
    ],
  ])('%s forbids the pod', async (_, spec, message) => {
    const { code, message: found } = await refusal(create(spec))
    expect([code, found]).toEqual([403, `pods "a" is forbidden: ${message}`])
  })
})
