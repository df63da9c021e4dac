// KEP-2804's matrix, cell by cell: every condition of every kind takes every status that it can have, from real
// changes of pods, with its reason and its transition time, and without writes of its own.
import { afterEach, describe, expect, it } from 'vitest'
import { formatTime, parseTime } from '../base/clock.ts'
import { type Scenario, type Step, scenarios } from './testing/condition-scenarios.ts'
import { type Condition, openScenarioCluster, type ScenarioCluster } from './testing/scenario-cluster.ts'

/** Each kind's conditions and the statuses that they can have; '' is a condition that goes again. */
const matrix: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  ReplicaSet: { Operational: ['False', 'True'], ReplicaFailure: ['', 'True'] },
  ReplicationController: { Operational: ['False', 'True'], ReplicaFailure: ['', 'True'] },
  Deployment: {
    Available: ['False', 'True'],
    Operational: ['False', 'True'],
    Progressing: ['False', 'True', 'Unknown'],
    ReplicaFailure: ['', 'True'],
  },
  StatefulSet: { Operational: ['False', 'True'], Progressing: ['False', 'True'] },
  DaemonSet: { Operational: ['False', 'True'], Progressing: ['False', 'True'] },
  Job: { Complete: ['True'], Failed: ['True'], Running: ['False', 'True'], Suspended: ['False', 'True'], Waiting: ['False', 'True'] },
}
/** What a Job says on its way to Complete and Failed. */
const announcements = new Set(['SuccessCriteriaMet', 'FailureTarget'])
const extended: Readonly<Record<string, readonly string[]>> = {
  ReplicaSet: ['Operational'],
  ReplicationController: ['Operational'],
  Deployment: ['Operational'],
  StatefulSet: ['Operational', 'Progressing'],
  DaemonSet: ['Operational', 'Progressing'],
  Job: ['Running', 'Waiting'],
}

let cluster: Awaited<ReturnType<typeof openScenarioCluster>>
afterEach(() => cluster?.stop())

const conditionsOf = async ({ read }: ScenarioCluster) =>
  new Map(((await read()).status?.conditions ?? []).filter(({ type }) => !announcements.has(type)).map((one) => [one.type, one]))
const said = (condition: Condition | undefined) => condition && `${condition.status} ${condition.reason}`
const writesOf = ({ statusWrites }: ScenarioCluster) => [...statusWrites.values()].reduce((sum, count) => sum + count, 0)

/** Changes that change nothing that a status says: neither call nor revision may come of them. */
async function expectRest(step: Step): Promise<void> {
  const { bench } = cluster
  await cluster.rest()
  const before = { revision: bench.store.revision, writes: writesOf(cluster) }
  await cluster.change({ metadata: { labels: { touched: String(before.revision) } } })
  await cluster.rest()
  expect(writesOf(cluster) - before.writes, `${step.what}: writes of an unchanged status`).toBe(0)
  if (!step.restless) expect(bench.store.revision - before.revision, `${step.what}: only the label is written`).toBe(1)
}

async function walk({ kind, steps }: Scenario, seen: Map<string, Set<string>>): Promise<void> {
  const { bench } = cluster
  let before = new Map<string, Condition>()
  const expected: Record<string, string | undefined> = {}
  for (const [index, step] of steps.entries()) {
    bench.pass(10_000)
    const start = bench.clock.now()
    if (index === 0) await cluster.create()
    await step.run(cluster)
    await cluster.rest()
    if (step.passMs !== undefined) {
      bench.pass(step.passMs)
      await cluster.rest()
    }
    const now = await conditionsOf(cluster)
    Object.assign(expected, step.says)
    for (const [type, value] of Object.entries(expected)) if (value === undefined) delete expected[type]
    expect(Object.fromEntries([...now].map(([type, one]) => [type, said(one)])), step.what).toEqual(expected)
    for (const [type, { status, lastTransitionTime = '' }] of now) {
      const known = before.get(type)
      if (known?.status === status) expect(lastTransitionTime, `${step.what}: ${type} keeps its time`).toBe(known.lastTransitionTime)
      else {
        expect(parseTime(lastTransitionTime), `${step.what}: ${type} has a new time`).toBeGreaterThanOrEqual(parseTime(formatTime(start)))
        expect(parseTime(lastTransitionTime)).toBeLessThanOrEqual(bench.clock.now())
      }
      note(seen, `${kind} ${type}`, status)
    }
    for (const type of before.keys()) if (!now.has(type)) note(seen, `${kind} ${type}`, '')
    before = now
    await expectRest(step)
  }
}

function note(seen: Map<string, Set<string>>, cell: string, status: string): void {
  const statuses = seen.get(cell) ?? new Set()
  seen.set(cell, statuses.add(status))
}

describe('the conditions of workloads', () => {
  const seen = new Map<string, Set<string>>()

  for (const scenario of scenarios)
    it(`follow ${scenario.name} through ${scenario.steps.length} changes`, async () => {
      cluster = await openScenarioCluster(scenario.resource, scenario.object)
      await walk(scenario, seen)
      for (const [plural, most] of cluster.maxWritesInASync) expect(most, `status writes in a sync of ${plural}`).toBe(1)
      expect(cluster.maxWritesInASync.has(scenario.resource.plural)).toBe(true)
    })

  it('every cell of the matrix was seen with every status that it can have, and no other', () => {
    const cells = Object.fromEntries([...seen].map(([cell, statuses]) => [cell, [...statuses].sort()]))
    const wanted = Object.entries(matrix).flatMap(([kind, conditions]) =>
      Object.entries(conditions).map(([type, statuses]) => [`${kind} ${type}`, statuses]),
    )
    expect(cells).toEqual(Object.fromEntries(wanted))
  })
})

describe('with the gate ExtendedWorkloadConditions off', () => {
  for (const scenario of scenarios.filter(({ kind }, index) => scenarios.findIndex((one) => one.kind === kind) === index)) {
    const { kind } = scenario
    const own = extended[kind]!
    const only = (conditions: ReadonlyMap<string, Condition>) => [...conditions.values()].filter(({ type }) => own.includes(type))
    /** From one answer of every extended condition to another. */
    const turn = async () => {
      if (kind === 'Job') await cluster.run()
      else await cluster.bringAllUp()
      await cluster.rest()
    }

    it(`adds none of ${own.join(' and ')} to a ${kind}`, async () => {
      cluster = await openScenarioCluster(scenario.resource, scenario.object)
      await cluster.restart({ ExtendedWorkloadConditions: false })
      await cluster.create()
      await cluster.rest()
      await turn()
      expect(only(await conditionsOf(cluster))).toEqual([])
    })

    it(`leaves those that a ${kind} has as they are, and takes them up again when it is on`, async () => {
      cluster = await openScenarioCluster(scenario.resource, scenario.object)
      await cluster.create()
      await cluster.rest()
      const stale = only(await conditionsOf(cluster))
      expect(stale.length).toBeGreaterThan(0)
      await cluster.restart({ ExtendedWorkloadConditions: false })
      await turn()
      expect(only(await conditionsOf(cluster))).toEqual(stale)
      await cluster.restart({ ExtendedWorkloadConditions: true })
      await cluster.rest()
      const fresh = only(await conditionsOf(cluster))
      expect(fresh.map(said)).not.toEqual(stale.map(said))
      expect(fresh.map(({ type }) => type)).toEqual(expect.arrayContaining(stale.map(({ type }) => type)))
    })
  }
})
