import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limitRanges, priorityClasses } from '../../api/kinds.ts'
import type { Creation } from '../../api/managed-fields/creation.ts'
import { isStatusError } from '../../api/status-error.ts'
import type { Pod, PriorityClass } from '../../api/types.ts'
import { PodMoulds, type PodRules } from './pod-moulds.ts'
import type { Rest, WriteOptions } from './rest.ts'
import { asKind, openBench, options, podKind } from './testing.ts'

const body = (metadata: object, spec: object = { containers: [{ name: 'c' }] }, more: object = {}) => ({ metadata, spec, ...more })
const rules: PodRules = { limitRanges: [], priorityClasses: [] }
const made = { spec: { containers: [] }, status: { phase: 'Pending' } } as unknown as Pod

const creation: Creation = { written: {}, owned: {}, removed: {} }
const spread = { containers: [{ name: 'c' }], topologySpreadConstraints: [] }
const armour = 'container.apparmor.security.beta.kubernetes.io/c'

describe('PodMoulds', () => {
  const rows: [name: string, first: unknown, next: unknown, found: 'all' | 'spec' | 'nothing'][] = [
    ['another name', body({ name: 'a' }), body({ name: 'b' }), 'all'],
    ['another generated name', body({ generateName: 'a-' }), body({ generateName: 'b-' }), 'all'],
    ['another order of its fields', body({ name: 'a', labels: {} }), { spec: body({}).spec, metadata: { labels: {}, name: 'b' } }, 'all'],
    ['an empty status', body({ name: 'a' }), body({ name: 'b' }, undefined, { status: {} }), 'all'],
    ['another label', body({ name: 'a', labels: { x: '1' } }), body({ name: 'b', labels: { x: '2' } }), 'spec'],
    ['one annotation more', body({ name: 'a' }), body({ name: 'b', annotations: { x: '1' } }), 'spec'],
    ['one annotation less', body({ name: 'a', annotations: { x: '1' } }), body({ name: 'b' }), 'spec'],
    [
      'another label, where it counts',
      body({ name: 'a', labels: { x: '1' } }, spread),
      body({ name: 'b', labels: { x: '2' } }, spread),
      'nothing',
    ],
    ['an annotation that counts', body({ name: 'a' }), body({ name: 'b', annotations: { [armour]: 'unconfined' } }), 'nothing'],
    ['no annotation that counts', body({ name: 'a', annotations: { [armour]: 'unconfined' } }), body({ name: 'b' }), 'nothing'],
    ['labels that are none', body({ name: 'a' }), body({ name: 'b', labels: [] }), 'nothing'],
    ['a generated name', body({ name: 'a' }), body({ generateName: 'a-' }), 'spec'],
    ['an empty base of its name', body({ generateName: 'a-' }), body({ generateName: '' }), 'spec'],
    ['a number for a name', body({ name: 'a' }), body({ name: 1 }), 'spec'],
    ['another spec', body({ name: 'a' }), body({ name: 'b' }, { containers: [{ name: 'd' }] }), 'nothing'],
    ['a field of its spec more', body({ name: 'a' }), body({ name: 'b' }, { containers: [{ name: 'c' }], hostPID: false }), 'nothing'],
    ['a status', body({ name: 'a' }), body({ name: 'b' }, undefined, { status: { phase: 'Running' } }), 'nothing'],
    ['an unknown field beside its spec', body({ name: 'a' }), body({ name: 'b' }, undefined, { spce: {} }), 'nothing'],
    [
      'another owner',
      body({ name: 'a', ownerReferences: [{ uid: '1' }] }),
      body({ name: 'b', ownerReferences: [{ uid: '2' }] }),
      'nothing',
    ],
    ['no metadata', body({ name: 'a' }), { spec: body({}).spec }, 'nothing'],
    ['no object at all', body({ name: 'a' }), [], 'nothing'],
  ]
  it.each(rows)('of a pod with %s', (_, first, next, expected) => {
    const moulds = new PodMoulds()
    moulds.keep('default', first, rules, made, creation)
    const found = moulds.find('default', next, rules)
    expect(found === undefined ? 'nothing' : found.isWhole ? 'all' : 'spec').toBe(expected)
  })

  it('are of one namespace', () => {
    const moulds = new PodMoulds()
    moulds.keep('one', body({ name: 'a' }), rules, made, creation)
    expect(moulds.find('two', body({ name: 'a' }), rules)).toBeUndefined()
  })

  it('hold as long as the rules do', () => {
    const moulds = new PodMoulds()
    moulds.keep('default', body({ name: 'a' }), rules, made, creation)
    expect(moulds.find('default', body({ name: 'a' }), { ...rules })).toBeDefined()
    expect(moulds.find('default', body({ name: 'a' }), { ...rules, priorityClasses: [{} as PriorityClass] })).toBeUndefined()
    expect(moulds.find('default', body({ name: 'a' }), { ...rules, limitRanges: [{}] })).toBeUndefined()
  })

  it('are not more than some hundreds', () => {
    const moulds = new PodMoulds()
    for (let at = 0; at < 1000; at++) moulds.keep(`n${at}`, body({ name: 'a' }), rules, made, creation)
    expect(moulds.find('n0', body({ name: 'a' }), rules)).toBeUndefined()
    expect(moulds.find('n999', body({ name: 'a' }), rules)).toBeDefined()
  })
})

interface Step {
  readonly what: 'pod' | 'limits' | 'priority'
  readonly text: string
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict'
  readonly dryRun: boolean
  readonly manager: string
  /** Before it. */
  readonly passMs: number
}

/** What a client gets to see: the object but for what chance and the store give it, or the refusal, and the warnings. */
async function send(rest: Rest, { text, fieldValidation, dryRun, manager }: Step): Promise<unknown> {
  const warnings: string[] = []
  const asked: WriteOptions = { ...options, manager, fieldValidation, dryRun, warn: (sentence) => void warnings.push(sentence) }
  try {
    const { answer } = await rest.create(podKind, 'default', { text, format: 'json' }, asked)
    const { uid: _, resourceVersion: __, name, ...metadata } = answer.object.metadata ?? {}
    const { metadata: given, ...other } = JSON.parse(answer.text)
    const written = { ...other, metadata: { ...given, uid: '', resourceVersion: '', name: '' } }
    return { ...answer.object, metadata, isNamed: Boolean(name), text: JSON.stringify(written), warnings }
  } catch (error) {
    if (!isStatusError(error)) throw error
    return { status: JSON.stringify(error.status).replaceAll(/p-[a-z0-9]{5}/g, 'p-'), warnings }
  }
}

async function setRule(rest: Rest, { what, text }: Step): Promise<void> {
  const kind = asKind(what === 'limits' ? limitRanges : priorityClasses)
  await rest.create(kind, kind.namespaced ? 'default' : '', { text, format: 'json' }, options).catch(() => {})
}

const containers = [
  '{"name":"c","image":"a"}',
  '{"name":"c","image":"b"}',
  '{"name":"c","image":"a","imge":"x"}',
  '{"name":"c","name":"c"}',
]
const specs = [
  ...containers.map((one) => `{"containers":[${one}]}`),
  '{ "containers": [ {"image":"a", "name":"c"} ] }',
  '{"containers":[{"name":"c","image":"a"}],"priorityClassName":"high"}',
  '{"containers":[{"name":"c","image":"a"}],"topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"k","whenUnsatisfiable":"DoNotSchedule","matchLabelKeys":["app"],"labelSelector":{}}]}',
  '{"containers":[{"name":"c","image":"a","resources":{"limits":{"cpu":"1"}}}],"terminationGracePeriodSeconds":-3}',
  '{"containers":[{"name":"C"}]}',
  '{"containers":[{"name":"c","image":"a"}],"schedulingGates":[{"name":"g"}]}',
]
const metadatas = [
  '',
  ',"labels":{"app":"a"}',
  ',"labels":{"app":"b"}',
  ',"labels":{"app":5}',
  ',"annotations":{"container.apparmor.security.beta.kubernetes.io/c":"unconfined"}',
  ',"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"r","uid":"1"}]',
  ',"managedFields":[]',
  ',"unknown":1',
  ',"finalizers":["a.b/c"]',
  ',"deletionTimestamp":"2026-01-01T00:00:00Z","deletionGracePeriodSeconds":5',
]
const ends = ['', ',"status":{}', ',"status":{"phase":"Running"}', ',"x":1', ',"kind":"Pod","apiVersion":"v1"']

const podText = (spec: string) =>
  fc
    .tuple(
      fc.oneof({ weight: 3, arbitrary: fc.constant(spec) }, fc.constantFrom(...specs)),
      fc.constantFrom(...metadatas),
      fc.constantFrom(...ends),
      fc.constantFrom('name', 'generateName'),
    )
    .map(
      ([spec, metadata, end, named]) =>
        (at: number) =>
          `{"metadata":{"${named}":"p${named === 'name' ? at : '-'}"${metadata}},"spec":${spec}${end}}`,
    )
const rule = fc.constantFrom(
  {
    what: 'limits' as const,
    text: '{"metadata":{"name":"l"},"spec":{"limits":[{"type":"Container","default":{"cpu":"2"},"max":{"cpu":"3"}}]}}',
  },
  { what: 'priority' as const, text: '{"metadata":{"name":"high"},"value":7}' },
  { what: 'priority' as const, text: '{"metadata":{"name":"usual"},"value":3,"globalDefault":true}' },
)

const fieldValidations = fc.constantFrom('Ignore' as const, 'Warn' as const, 'Strict' as const)
const rarely = fc.integer({ min: 0, max: 5 }).map((one) => one === 0)
const manager = fc.constantFrom('kubectl', 'kubectl', 'argo')
const passMs = fc.constantFrom(0, 0, 0, 400, 1000)

describe('pods of moulds', () => {
  it('are those that a server makes that has never seen one', { timeout: 60_000 }, async () => {
    // Few texts, so that most have been sent before.
    const story = fc
      .constantFrom(...specs)
      .chain((spec) => fc.array(podText(spec), { minLength: 1, maxLength: 3 }))
      .chain((texts) =>
        fc.array(
          fc.oneof(
            {
              weight: 8,
              arbitrary: fc.record({ text: fc.constantFrom(...texts), fieldValidation: fieldValidations, dryRun: rarely, manager, passMs }),
            },
            { weight: 1, arbitrary: rule },
          ),
          { minLength: 2, maxLength: 10 },
        ),
      )
      .map((steps) =>
        steps.map((step, at): Step => {
          if ('what' in step) return { ...step, fieldValidation: 'Warn', dryRun: false, manager: 'x', passMs: 0 }
          return { ...step, what: 'pod', text: step.text(at) }
        }),
      )
    await fc.assert(
      fc.asyncProperty(story, async (steps) => {
        const { rest, clock } = await openBench()
        let passedMs = 0
        for (const [at, step] of steps.entries()) {
          if (step.what !== 'pod') {
            await setRule(rest, step)
            continue
          }
          passedMs += step.passMs
          clock.pass(step.passMs)
          const fresh = await openBench()
          fresh.clock.pass(passedMs)
          for (const before of steps.slice(0, at)) if (before.what !== 'pod') await setRule(fresh.rest, before)
          expect(await send(rest, step)).toEqual(await send(fresh.rest, step))
        }
      }),
      { numRuns: 300 },
    )
  })
})
