import { describe, expect, it } from 'vitest'
import { type PodTraits, podOf, settings } from '../testing/sample-objects.ts'
import { planClaims } from './claim.ts'

describe('planClaims()', () => {
  const other = { labels: { app: 'y' } }
  const claims = (owned: PodTraits[], orphans: PodTraits[], isBeingDeleted = false) => {
    const name = (prefix: string, list: PodTraits[]) => list.map((one, index) => podOf(`${prefix}${index}`, one))
    const plan = planClaims(settings({ isBeingDeleted }), name('own', owned), name('orphan', orphans))
    const uids = Object.entries(plan).map(([what, pods]) => [what, pods.map(({ metadata }: { metadata: { uid: string } }) => metadata.uid)])
    return Object.fromEntries(uids.filter(([, pods]) => pods!.length > 0))
  }

  it.each<[string, PodTraits[], PodTraits[], boolean, object]>([
    ['keeps controlled pods that it selects', [{}], [], false, { active: ['own0'] }],
    ['releases pods that it no longer selects', [other], [], false, { release: ['own0'] }],
    ['adopts orphans that it selects', [], [{}, other], false, { adopt: ['orphan0'] }],
    ['counts its own terminating pods apart', [{ terminating: true }], [], false, { terminating: ['own0'] }],
    ['claims no terminating pod', [{ terminating: true, ...other }], [{ terminating: true }], false, {}],
    ['ignores terminated pods', [{ phase: 'Failed' }, { phase: 'Succeeded', ...other }], [{ phase: 'Failed' }], false, {}],
    ['does not count a terminating pod that has terminated', [{ phase: 'Failed', terminating: true }], [], false, {}],
    ['neither adopts nor releases while it is being deleted', [{}, other], [{}], true, { active: ['own0'] }],
  ])('%s', (_, owned, orphans, isBeingDeleted, expected) => {
    expect(claims(owned, orphans, isBeingDeleted)).toEqual(expected)
  })

  it('does not count a pod of another namespace that names it as its owner', () => {
    expect(planClaims(settings({ namespace: 'elsewhere' }), [podOf('a')], []).active).toEqual([])
  })

  it('selects nothing without a selector', () => {
    expect(planClaims(settings({ requirements: undefined }), [], [podOf('a')]).adopt).toEqual([])
  })
})
