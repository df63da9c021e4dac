import { describe, expect, it } from 'vitest'
import { defaultFeatureGates } from '../feature-gates.ts'
import type { Pod, PodSpec } from '../types.ts'
import { KnownSpecs } from './known-specs.ts'

const spec: PodSpec = { containers: [{ name: 'c', image: 'nginx' }] }

describe('KnownSpecs', () => {
  const podOf = (own: PodSpec | undefined, annotations?: Record<string, string>): Pod => ({
    metadata: { name: 'a', ...(annotations && { annotations }) },
    ...(own && { spec: own }),
  })
  /** How often it was looked at each of two pods. */
  const looksAt = (first: Pod, second: Pod, isKept = true, gates = defaultFeatureGates) => {
    const known = new KnownSpecs<string>()
    let looks = 0
    const find = () => `${++looks}`
    known.of(first, defaultFeatureGates, find, () => isKept)
    known.of(second, gates, find, () => isKept)
    return looks
  }
  const withVolume = (volume: object): PodSpec => ({ ...spec, volumes: [{ name: 'v', ...volume }] })
  const ephemeral = withVolume({ ephemeral: {} })
  const claiming: PodSpec = { ...spec, resourceClaims: [{ name: 'gpu' }] }
  const emptyDir = withVolume({ emptyDir: {} })

  it.each([
    ['once at a spec', podOf(spec), podOf(spec), 1],
    ['once where the annotations are equal', podOf(spec, { a: '1' }), podOf(spec, { a: '1' }), 1],
    ['again where an annotation differs', podOf(spec, { a: '1' }), podOf(spec, { a: '2' }), 2],
    ['again where an annotation is new', podOf(spec), podOf(spec, { a: '1' }), 2],
    ['again where another annotation has its place', podOf(spec, { a: '1' }), podOf(spec, { b: '1' }), 2],
    ['again where an annotation has gone', podOf(spec, { a: '1', b: '1' }), podOf(spec, { a: '1' }), 2],
    ['again at an equal spec that is another value', podOf(spec), podOf({ ...spec }), 2],
    ['again at a spec with claims that are called after the pod', podOf(ephemeral), podOf(ephemeral), 2],
    ['again at a spec with resource claims', podOf(claiming), podOf(claiming), 2],
    ['once at a spec with other volumes', podOf(emptyDir), podOf(emptyDir), 1],
    ['again at a pod without a spec', podOf(undefined), podOf(undefined), 2],
  ])('looks %s', (_, first, second, looks) => expect(looksAt(first, second)).toBe(looks))

  it('looks again at what was not kept', () => expect(looksAt(podOf(spec), podOf(spec), false)).toBe(2))

  it('looks again where the feature gates are others', () =>
    expect(looksAt(podOf(spec), podOf(spec), true, { ...defaultFeatureGates })).toBe(2))
})
