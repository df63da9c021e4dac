import { describe, expect, it } from 'vitest'
import type { RunTrace, StoredChange, TracedRequest } from '../trace.ts'
import { describePlan, type FaultPlan } from './fault-plan.ts'
import { makePlans } from './make-plans.ts'

const request = (verb: string, plural: string, isEffective = true): TracedRequest => {
  const one: TracedRequest = {
    verb,
    group: '',
    plural,
    subresource: '',
    namespace: 'default',
    name: 'x',
    agent: 'operator',
    user: 'program',
    step: 1,
    atMs: 0,
    revision: 10,
    code: 200,
    change: undefined,
  }
  if (isEffective) {
    const change: StoredChange = {
      type: 'update',
      key: `${plural}/default/x`,
      revision: 11,
      step: 1,
      atMs: 0,
      before: '{}',
      after: '{}',
      by: one,
    }
    one.change = change
  }
  return one
}

const traceOf = (requests: readonly TracedRequest[], watched: readonly string[], reads: readonly string[] = []): RunTrace => ({
  requests,
  changes: requests.flatMap(({ change }) => change ?? []),
  watchesAtStart: watched.length,
  watched: new Map(watched.map((plural) => [plural, 1])),
  reads: new Map(reads.map((read) => [read, 1])),
  events: [],
  start: new Map(),
  stepEnds: [],
  end: new Map(),
  problems: [],
  unforeseenWakeups: 0,
  hasOccurred: true,
  durationMs: 1,
  residentBytes: 0,
  output: '',
})

const plansOf = (trace: RunTrace, seed = 1): FaultPlan[] => {
  const list = makePlans({ trace, steps: 1, seed })
  return Array.from({ length: list.singles }, (_, i) => list.planAt(i + 1))
}

describe('makePlans()', () => {
  const trace = traceOf([request('create', 'pods'), request('patch', 'pods', false), request('patch', 'pods')], ['pods'])

  it('leaves out writes that changed nothing, and counts them', () => {
    const texts = plansOf(trace).map(describePlan)
    expect(texts).toContain('crash after the 2nd patch of pods in step 1; the program restarts')
    expect(texts.filter((text) => text.includes('1st patch'))).toEqual([])
  })

  it('leaves out kinds that the program does not watch', () => {
    const texts = plansOf(traceOf([request('create', 'secrets')], ['pods'])).map(describePlan)
    expect(texts.filter((text) => text.includes('stale cache'))).toEqual([])
    expect(texts).toContain('lost response to the 1st create of secrets in step 1, which was carried out')
  })

  it('shows lists from before a deletion after the object was created again', () => {
    const shop = (metadata: object) => JSON.stringify({ metadata: { name: 'corner', ...metadata } })
    const change = (type: StoredChange['type'], before: string | undefined, after: string | undefined): StoredChange => ({
      type,
      key: 'shops.example.dev/default/corner',
      revision: 5,
      step: 1,
      atMs: 0,
      before,
      after,
    })
    const terminating = shop({ deletionTimestamp: '2026-01-01T00:00:00Z' })
    const changes = [
      change('create', undefined, shop({})),
      change('update', shop({}), terminating),
      change('delete', terminating, undefined),
      change('create', undefined, shop({})),
    ]
    const again = traceOf([request('create', 'pods')], ['shops', 'pods'])
    const texts = plansOf({ ...again, changes: [...changes, ...again.changes] }).map(describePlan)
    const wanted =
      'crash after the 1st create of pods in step 1; the program restarts with lists from when shops.example.dev/default/corner was terminating'
    expect(texts.slice(0, 2)).toContain(wanted)
    expect(plansOf(again).map(describePlan)).not.toContain(wanted)
  })

  it('lets a second instance take over only where programs elect a leader', () => {
    const has = (one: RunTrace) => plansOf(one).some(({ faults }) => faults[0]?.type === 'takeover')
    expect([has(trace), has(traceOf(trace.requests, ['pods'], ['update leases']))]).toEqual([false, true])
  })

  it('gives one list for one seed, another for another, and pairs after the single faults', () => {
    expect(plansOf(trace)).toEqual(plansOf(trace))
    expect(plansOf(trace, 2)).not.toEqual(plansOf(trace))
    const list = makePlans({ trace, steps: 1, seed: 1 })
    expect(list.planAt(list.singles + 3).faults).toHaveLength(2)
    expect(list.planAt(list.singles + 3)).toEqual(list.planAt(list.singles + 3))
  })

  it('begins with what shows most: crashes, lost responses, absences, and caches behind the own writes', () => {
    const first = plansOf(trace).slice(0, 6)
    expect(new Set(first.map(({ faults }) => faults[0]!.type))).toEqual(new Set(['absent', 'crash', 'lost-answer', 'stale']))
  })
})
