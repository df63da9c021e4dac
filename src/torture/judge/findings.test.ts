import { describe, expect, it } from 'vitest'
import type { FaultPlan } from '../plan/fault-plan.ts'
import type { RunTrace, StoredChange, TracedRequest } from '../trace.ts'
import { Judge } from './findings.ts'

const writer = { verb: 'create', plural: 'pods', subresource: '', namespace: 'default', name: 'x', code: 201 } as TracedRequest
const json = (name: string, more: object = {}, metadata: object = {}) =>
  JSON.stringify({ metadata: { name, namespace: 'default', ...metadata }, ...more })
const change = (type: StoredChange['type'], key: string, after: string, more: Partial<StoredChange> = {}): StoredChange => ({
  type,
  key,
  revision: 1,
  step: 1,
  atMs: 0,
  before: type === 'create' ? undefined : after,
  after: type === 'delete' ? undefined : after,
  by: writer,
  ...more,
})
const trace = (end: Readonly<Record<string, string>>, changes: readonly StoredChange[] = [], more: Partial<RunTrace> = {}): RunTrace => ({
  requests: [],
  changes,
  watchesAtStart: 0,
  watched: new Map(),
  reads: new Map(),
  events: [],
  start: new Map(),
  stepEnds: [],
  end: new Map(Object.entries(end)),
  problems: [],
  unforeseenWakeups: 0,
  hasOccurred: true,
  durationMs: 1,
  residentBytes: 0,
  output: '',
  ...more,
})
const none: FaultPlan = { id: 1, faults: [] }
const at = { verb: 'create', group: '', plural: 'pods', subresource: '', step: 1, nth: 1 }

describe('Judge', () => {
  const key = 'configmaps/default/a'
  const usual = (uid: string, time: string) => trace({ [key]: json('a', { data: { v: '1', at: time }, token: `x-${uid}` }, { uid }) })
  const judge = new Judge([usual('1', '2026-01-01T00:00:00Z'), usual('2', '2026-01-01T00:00:07Z')])
  const typesOf = (one: RunTrace, plan = none, by = judge) => by.judge(one, plan).map(({ type, text }) => `${type}: ${text}`)

  it('accepts values that differ by nature', () => expect(typesOf(usual('3', '2026-01-01T00:01:00Z'))).toEqual([]))
  it('finds another value', () => {
    const other = trace({ [key]: json('a', { data: { v: '2', at: '2026-01-01T00:00:00Z' }, token: 'x' }) })
    expect(typesOf(other)).toEqual([`different: ${key} ends with data.v "2", and with "1" without faults`])
  })
  it('finds what is missing', () => expect(typesOf(trace({}))).toEqual([`missing: ${key} is missing: 0, and 1 without faults`]))
  it('finds what is left behind', () => {
    const more = trace({ ...Object.fromEntries(usual('1', '2026-01-01T00:00:00Z').end), 'secrets/default/b': json('b') })
    expect(typesOf(more)).toEqual(['left-behind: secrets/default/b is left behind: 1, and 0 without faults'])
  })
  it('finds what is missing after a step, though the end is the same', () => {
    const withStep = (uid: string, isThere: boolean) => ({
      ...trace({}),
      stepEnds: [isThere ? usual(uid, '2026-01-01T00:00:00Z').end : new Map()],
    })
    const stepJudge = new Judge([withStep('1', true), withStep('2', true)])
    expect(typesOf(withStep('3', false), none, stepJudge)).toEqual([`missing: after the start, ${key} is missing: 0, and 1 without faults`])
    expect(typesOf({ ...trace({}), stepEnds: [undefined] }, none, stepJudge)).toEqual([])
  })
  it('finds what never goes', () => {
    const stuck = trace({
      [key]: json('a', { data: { v: '1', at: '2026-01-01T00:00:00Z' }, token: 'x' }, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    })
    expect(typesOf(stuck)).toEqual([`stuck: ${key} is being deleted and never goes: a finalizer remains`])
  })

  describe('of generated names', () => {
    const pod = (suffix: string) => json(`web-${suffix}`, {}, { generateName: 'web-' })
    const created = (suffix: string) => change('create', `pods/default/web-${suffix}`, pod(suffix))
    const removed = (suffix: string) => change('delete', `pods/default/web-${suffix}`, pod(suffix))
    const pods = new Judge([trace({}, [created('x')]), trace({}, [created('y')])])

    it('accepts another name', () => expect(typesOf(trace({}, [created('z')]), none, pods)).toEqual([]))
    it('finds one more', () =>
      expect(typesOf(trace({}, [created('z'), created('q')]), none, pods)).toEqual([
        'created-again: pods/default/web-* was created twice, and once without faults',
      ]))
    it('accepts one more after a lost response, if the program removes it again', () => {
      const lost: FaultPlan = { id: 1, faults: [{ type: 'lost-answer', at }] }
      const twice = [created('z'), created('q')]
      expect(typesOf(trace({}, twice), lost, pods)).toHaveLength(1)
      expect(typesOf(trace({}, [...twice, removed('q')]), lost, pods)).toEqual([])
    })
  })

  it('finds what was deleted and created again, though the end is the same', () => {
    const claim = 'persistentvolumeclaims/default/data'
    const end = { [claim]: json('data') }
    const once = [change('create', claim, json('data'))]
    const again = [...once, change('delete', claim, json('data')), change('create', claim, json('data'))]
    expect(typesOf(trace(end, again), none, new Judge([trace(end, once), trace(end, once)]))).toEqual([
      `created-again: ${claim} was created twice, and once without faults`,
      `deleted: ${claim} was deleted once, and never without faults`,
    ])
  })

  it('finds an object that goes back and forth', () => {
    const states = Array.from({ length: 12 }, (_, i) => change('update', key, json('a', { data: { v: String(i % 2) } })))
    const end = Object.fromEntries(usual('1', '2026-01-01T00:00:00Z').end)
    expect(typesOf(trace(end, states)).filter((text) => text.startsWith('oscillation'))).toEqual([
      `oscillation: ${key} went back to an earlier state 10 times`,
    ])
  })

  it('finds a loop of errors', () => {
    const failed = { ...writer, code: 422 } as TracedRequest
    const end = Object.fromEntries(usual('1', '2026-01-01T00:00:00Z').end)
    expect(typesOf(trace(end, [], { requests: Array.from({ length: 40 }, () => failed) }))).toEqual([
      'error-loop: create pods default/x (422) failed 40 times',
    ])
  })

  it('finds a program that ends by itself, and not the same twice', () => {
    const end = Object.fromEntries(usual('1', '2026-01-01T00:00:00Z').end)
    const exit = { type: 'exit', text: 'the program ended by itself with exit code 2', atMs: 1 } as const
    expect(typesOf(trace(end, [], { problems: [exit, exit] }))).toEqual([`exit: ${exit.text}`])
  })
})
