import { describe, expect, it } from 'vitest'
import { closestName, didYouMean } from './closest-name.ts'

describe('closestName', () => {
  it.each([
    { what: 'a missing letter', name: 'peakPod', closest: 'peakPods' },
    { what: 'swapped letters', name: 'avialability', closest: 'availability' },
    { what: 'another case', name: 'PEAKPODS', closest: 'peakPods' },
    { what: 'a short name', name: 'cst', closest: 'cost' },
    { what: 'another word', name: 'latency', closest: undefined },
    { what: 'nothing', name: '', closest: undefined },
  ])('finds the name for $what', ({ name, closest }) => {
    expect(closestName(name, ['peakPods', 'peakNodes', 'availability', 'cost'])).toBe(closest)
  })

  it('asks only where a name is near', () => {
    expect([didYouMean('maxSurg', ['maxSurge']), didYouMean('minimum', ['maxSurge'])]).toEqual([' Did you mean maxSurge?', ''])
  })
})
