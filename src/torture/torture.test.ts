import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { FaultPlan } from './plan/fault-plan.ts'
import { storyOf } from './report/story.ts'
import type { Scenario } from './scenario.ts'
import { torture } from './torture.ts'

const program = fileURLToPath(new URL('./testing/deliveries.mjs', import.meta.url))
const scenario = (bug: string): Scenario => ({
  run: `BUG=${bug} exec ${process.execPath} ${program}`,
  directory: process.cwd(),
  setup: [],
  steps: [{ type: 'apply', name: 'order.yaml', text: 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: order-1 }\n' }],
  always: [],
  finally: [],
  nodes: 0,
  controllers: [],
})

const run = (bug: string, plans: readonly FaultPlan[], more: Partial<Scenario> = {}) =>
  torture({
    scenario: { ...scenario(bug), ...more },
    seed: 1,
    jobs: 1,
    budgetMs: 60_000,
    plans,
    learnMs: 400,
    patienceMs: 2000,
    longMs: 0,
    version: 'v0',
    signal: new AbortController().signal,
    onProgress() {},
    log() {},
  })

const at = { verb: 'patch', group: '', plural: 'configmaps', subresource: '', step: 1, nth: 1 }
const create = { ...at, verb: 'create' }
const crash: FaultPlan = { id: 1, faults: [{ type: 'crash', at, moment: 'after', restart: 'at-once' }] }

describe('torture', () => {
  it('finds what a crash between two writes leaves undone, and tells the story', { timeout: 60_000 }, async () => {
    const { bugs, baseline } = await run('mark-first', [crash])
    expect(baseline.requests.map(({ verb, name }) => `${verb} ${name}`)).toEqual(['patch order-1', 'create delivery-1'])
    expect(bugs.map(({ finding }) => finding.text)).toEqual(['configmaps/default/delivery-1 is missing: 0, and 1 without faults'])
    expect(bugs[0]!.repeats).toEqual({ shown: 3, of: 3 })
    const story = storyOf(bugs[0]!).join('\n')
    expect(story).toMatch(
      /step 1: apply order.yaml[\s\S]*order-1: metadata.annotations.done absent → "true" \(the response was lost\)[\s\S]*is killed[\s\S]*starts again/,
    )
  })

  it('finds what lists from before a deletion do to the next object of that name', { timeout: 240_000 }, async () => {
    const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: order-1, finalizers: [example.dev/cancel] }\n'
    const order = (type: 'apply' | 'delete') => ({ type, name: 'order.yaml', text })
    const again: Partial<Scenario> = { steps: [order('apply'), order('delete'), order('apply')] }
    const stale = { terminating: 'configmaps/default/order-1' }
    const plan: FaultPlan = { id: 1, faults: [{ type: 'crash', at: { ...at, step: 3 }, moment: 'after', restart: 'at-once', stale }] }
    const wrong = await run('any-order', [plan], again)
    expect(wrong.bugs.map(({ finding }) => finding.text)).toEqual([
      'configmaps/default/order-1 ends with metadata.finalizers[0] absent, and with "example.dev/cancel" without faults',
    ])
    const right = await run('none', [plan], again)
    expect([right.bugs.map(({ finding }) => finding.text), right.effective]).toEqual([[], 1])
  })

  it('has no finding in the repaired program, whatever happens to it', { timeout: 120_000 }, async () => {
    const faults: FaultPlan['faults'] = [
      { type: 'crash', at: create, moment: 'after', restart: 'at-once' },
      { type: 'lost-answer', at: create },
      { type: 'absent', step: 1 },
      { type: 'crash', at: create, moment: 'after', restart: 'next-step' },
      { type: 'refused', at: create, code: 500, times: 2 },
      { type: 'stale', from: create, plural: 'configmaps', until: 'quiet' },
    ]
    const result = await run(
      'none',
      faults.map((fault, i) => ({ id: i + 1, faults: [fault] })),
    )
    expect(result.bugs.map(({ finding }) => finding.text)).toEqual([])
    expect([result.plans, result.effective]).toEqual([faults.length, faults.length])
  })

  it('reports expectations that do not hold', { timeout: 60_000 }, async () => {
    const always = ["configmaps.filter(c, c.metadata.name.startsWith('delivery-')).size() <= 1"]
    const { bugs, undisturbed } = await run('none', [{ id: 1, faults: [] }], { always, finally: ['configmaps.size() > 100'] })
    expect(undisturbed).toEqual(['the expectation does not hold: configmaps.size() > 100'])
    expect(bugs).toEqual([])
    await expect(run('none', [], { always: ['pods.size('] })).rejects.toThrow('Cannot read the expectation "pods.size("')
  })

  it('says that a program does not work without faults', { timeout: 60_000 }, async () => {
    await expect(run('none', [], { run: 'echo no such thing; exit 3' })).rejects.toThrow(
      /fails without faults: the program ended by itself with exit code 3:\nno such thing/,
    )
  })
})
