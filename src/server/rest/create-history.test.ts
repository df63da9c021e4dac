import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limitRanges, priorityClasses } from '../../api/kinds.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { Rest, WriteOptions } from './rest.ts'
import { openBench, options, podKind } from './testing/rest-bench.ts'

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
    const { response: answer } = await rest.create(podKind, 'default', { text, format: 'json' }, asked)
    const { uid: _, resourceVersion: __, name, ...metadata } = answer.object.metadata ?? {}
    const { metadata: given, ...other } = JSON.parse(answer.json)
    const written = { ...other, metadata: { ...given, uid: '', resourceVersion: '', name: '' } }
    return { ...answer.object, metadata, isNamed: Boolean(name), text: JSON.stringify(written), warnings }
  } catch (error) {
    if (!isStatusError(error)) throw error
    return { status: JSON.stringify(error.status).replaceAll(/p-[a-z0-9]{5}/g, 'p-'), warnings }
  }
}

async function setRule(rest: Rest, { what, text }: Step): Promise<void> {
  const kind = what === 'limits' ? limitRanges : priorityClasses
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

describe('create() of a pod', () => {
  it('gives what a server gives that has stored no pod before', { timeout: 60_000 }, async () => {
    // Few texts, so that most have been sent before.
    const history = fc
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
      fc.asyncProperty(history, async (steps) => {
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
