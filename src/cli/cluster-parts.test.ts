import { describe, expect, it } from 'vitest'
import { describeStages, readParts } from './cluster-parts.ts'
import type { UpOptions } from './up.ts'

const options = (more: Partial<UpOptions>) => more as UpOptions

describe('readParts()', () => {
  it.each<[flag: string, options: Partial<UpOptions>]>([
    ['--autoscale-node', { autoscaleNode: { cpu: '8', memory: '32Gi' } }],
    ['--autoscale-delay', { autoscaleDelay: 5000 }],
    ['--autoscale-idle', { autoscaleIdle: 5000 }],
  ])('refuses %s where nothing is scaled', async (flag, flags) => {
    await expect(readParts(options(flags))).rejects.toMatchObject({
      message: expect.stringMatching(`^${flag} needs --autoscale, `) as string,
      exitCode: 2,
    })
    await expect(readParts(options({ ...flags, autoscale: { min: 1, max: 2 } }))).resolves.toMatchObject({ autoscale: {} })
  })
})

describe('describeStages()', () => {
  const stage = (kind: string) => ({ spec: { resourceRef: { kind }, next: {} } })

  it('counts them by kind, and says which are not played', () => {
    const stages = ['Pod', 'Node', 'Pod', 'PersistentVolume'].map(stage)
    expect(describeStages({ nodes: [], podLife: { stages } })).toBe(
      '2 for Pods, 1 for Nodes, 1 for PersistentVolumes (not played: only Pods and Nodes live by stages)',
    )
  })

  it('says nothing where there are none', () => expect(describeStages({ nodes: [], podLife: {} })).toBeUndefined())
})
