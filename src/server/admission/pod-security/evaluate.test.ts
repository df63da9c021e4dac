import { describe, expect, it } from 'vitest'
import type { Pod } from '../../../api/types.ts'
import { openBench, podKind } from '../../rest/testing/rest-bench.ts'
import { detailText, violationsOf } from './evaluate.ts'
import { type Level, parseVersion } from './policy.ts'
import { podCases, podOf, versions } from './testing/pods.ts'
import recorded from './testing/recorded-violations.json' with { type: 'json' }

type Recorded = Readonly<Record<string, readonly (readonly string[])[]>>

describe('violationsOf()', () => {
  // kube-apiserver v1.36.4 said this: test/real-cluster/pod-security.test.ts records it.
  describe.each(Object.entries(recorded) as unknown as [Level, Recorded][])('of the level %s', (level, byPod) => {
    it.each(Object.entries(byPod))('says in each version what Kubernetes says about %s', async (name, said) => {
      const bench = await openBench()
      const { spec, metadata } = (await bench.create(podKind, podOf(podCases.find((one) => one.name === name)!))) as Pod
      const changes: string[][] = []
      for (const version of versions) {
        const text = detailText(violationsOf({ level, minor: parseVersion(version)! }, spec!, metadata!))
        if (changes.at(-1)?.[1] !== text) changes.push([version, text])
      }
      expect(changes).toEqual(said)
    })
  })

  it('says nothing for privileged', () => {
    const { spec } = podCases.find(({ name }) => name === 'privileged')!
    expect(violationsOf({ level: 'privileged', minor: 30 }, spec as unknown as NonNullable<Pod['spec']>, {})).toEqual([])
  })
})
