import { describe, expect, it } from 'vitest'
import { realClock } from '../../base/clock.ts'
import type { ApiCall } from '../../server/http/request-faults.ts'
import { type ClientRule, ClientRules } from './client-rules.ts'
import { WatchGate } from './watch-gate.ts'

const call = (verb: string, plural: string, more: Partial<ApiCall> = {}): ApiCall => ({
  verb,
  group: '',
  plural,
  namespace: 'default',
  agent: 'operator/v1',
  user: 'me',
  ...more,
})
const effectsOf = (rules: ClientRules, one: ApiCall) => rules.takeRequest(one).map(({ rule }) => rule.effect)

describe('ClientRules', () => {
  for (const [name, on, isMet] of [
    ['every request', {}, true],
    ['those of a client', { agents: ['operator'] }, true],
    ['not those of other clients', { agents: ['kubectl'] }, false],
    ['those of a user', { users: ['me'] }, true],
    ['not those of other users', { users: ['system:serviceaccount:a:b'] }, false],
    ['those of a verb and kind', { verbs: ['patch'], plurals: ['pods'] }, true],
    ['not those of another kind', { plurals: ['jobs'] }, false],
    ['those of a subresource', { subresources: ['status'] }, true],
    ['not those of the object itself', { subresources: [''] }, false],
    ['those of a name', { names: ['x'] }, true],
    ['not those of another namespace', { namespaces: ['shop'] }, false],
  ] as const)
    it(`affects ${name}`, () => {
      const rules = new ClientRules({ revision: () => 1 })
      rules.add({ effect: 'refuse', on })
      expect(effectsOf(rules, call('patch', 'pods', { name: 'x', subresource: 'status' }))).toEqual(isMet ? ['refuse'] : [])
    })

  it('affects the third request, once', () => {
    const rules = new ClientRules({ revision: () => 1 })
    rules.add({ effect: 'lose', on: { verbs: ['create'] }, skip: 2, times: 1 })
    expect([1, 2, 3, 4].map(() => effectsOf(rules, call('create', 'pods')).length)).toEqual([0, 0, 1, 0])
  })

  it('begins and ends with requests that were answered', () => {
    const states: string[] = []
    const rules = new ClientRules({ revision: () => 7, onChange: ({ state, asOf }) => states.push(`${state} ${asOf}`) })
    const on = { verbs: ['patch'], plurals: ['statefulsets'] }
    rules.add({ effect: 'rewind', on: {}, after: { on, count: 2 }, until: { on, count: 1 }, back: 3 })
    const asOf = () => rules.asOf(call('list', 'pods'))
    const seen = [asOf()]
    for (const plural of ['statefulsets', 'pods', 'statefulsets', 'statefulsets']) {
      rules.answered(call('patch', plural))
      seen.push(asOf())
    }
    expect(seen).toEqual([undefined, undefined, undefined, 4, undefined])
    expect(states).toEqual(['active 4', 'over 4'])
  })
})

describe('WatchGate', () => {
  const play = (rule: ClientRule, events: readonly string[]) => {
    const shown: string[] = []
    const rules = new ClientRules({
      revision: () => 1,
      onChange: ({ state }) => {
        if (state === 'over') gate.flush()
      },
    })
    const gate = new WatchGate<string>({
      call: call('watch', 'pods'),
      rules,
      clock: realClock,
      beginsWithState: false,
      readEvent(event) {
        const [type = '', name = ''] = event.split(' ')
        return { type, namespace: 'default', name }
      },
      retype: (event, type) => event.replace(/^\w+/, type),
      deliver: (found) => shown.push(...found),
      expire: () => shown.push('410'),
    })
    gate.started()
    const running = rules.add(rule)
    for (const event of events) gate.onEvents([event])
    const before = [...shown]
    rules.remove(running)
    return { before, after: shown.slice(before.length) }
  }
  const life = ['ADDED a 1', 'MODIFIED a 2', 'ADDED b 3', 'DELETED a 4']

  it('holds events back, and delivers them in their order', () => {
    expect(play({ effect: 'hold', on: { plurals: ['pods'] } }, life)).toEqual({ before: [], after: life })
  })
  it('does not touch the events of other kinds', () => {
    expect(play({ effect: 'hold', on: { plurals: ['jobs'] } }, life)).toEqual({ before: life, after: [] })
  })
  it('keeps what follows a held event behind it', () => {
    expect(play({ effect: 'hold', on: { names: ['b'] } }, life)).toEqual({ before: life.slice(0, 2), after: life.slice(2) })
  })
  it('holds one event of several', () => {
    expect(play({ effect: 'drop', on: {}, skip: 1, times: 1 }, life)).toEqual({ before: [life[0], life[2], life[3]], after: [] })
  })
  for (const [name, events, merged] of [
    ['changes become one', ['MODIFIED a 1', 'MODIFIED a 2', 'MODIFIED b 3'], ['MODIFIED a 2', 'MODIFIED b 3']],
    ['an object that was added and changed is added', ['ADDED a 1', 'MODIFIED a 2'], ['ADDED a 2']],
    ['an object that was added and deleted was never there', ['ADDED a 1', 'DELETED a 2'], []],
    ['an object that was deleted and created has changed', ['DELETED a 1', 'ADDED a 2'], ['MODIFIED a 2']],
    ['an object that was changed and deleted is deleted', ['MODIFIED a 1', 'DELETED a 2'], ['DELETED a 2']],
  ] as const)
    it(`merges: ${name}`, () => expect(play({ effect: 'merge', on: {} }, events)).toEqual({ before: [], after: merged }))
})
