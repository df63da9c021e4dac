import { describe, expect, it } from 'vitest'
import { describeStages, readParts } from './cluster-parts.ts'
import type { UpOptions } from './up.ts'

const options = (more: Partial<UpOptions>) => more as UpOptions

describe('readParts()', () => {
  it.each<[flag: string, options: Partial<UpOptions>]>([
    ['--autoscale-node', { autoscaleNode: { cpu: '8', memory: '32Gi' } }],
    ['--autoscale-delay', { autoscaleDelay: 5000 }],
    ['--autoscale-idle', { autoscaleIdle: 5000 }],
  ])('refuses %s without an autoscaler', async (flag, flags) => {
    await expect(readParts(options(flags))).rejects.toMatchObject({
      message: expect.stringMatching(`^${flag} needs an autoscaler\\. `) as string,
      exitCode: 2,
    })
    await expect(readParts(options({ ...flags, autoscale: { min: 1, max: 2 } }))).resolves.toMatchObject({ autoscale: {} })
  })
})

describe('describeStages()', () => {
  const stage = (kind: string) => ({ spec: { resourceRef: { kind }, next: {} } })

  it('counts Stages by kind, and names those that are ignored', () => {
    const stages = ['Pod', 'Node', 'Pod', 'PersistentVolume'].map(stage)
    expect(describeStages({ nodes: [], podLife: { stages } })).toBe(
      '2 for Pods, 1 for Nodes, 1 for PersistentVolumes (ignored: Stages apply to Pods and Nodes only)',
    )
  })

  it('is undefined without Stages', () => expect(describeStages({ nodes: [], podLife: {} })).toBeUndefined())
})
