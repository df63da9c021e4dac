// Stages that exceed a limit: an event on the object reports it, and other objects are not affected.
import { afterEach, describe, expect, it } from 'vitest'
import { coreEvents, pods } from '../../api/kinds.ts'
import type { Pod } from '../../api/types.ts'
import { type ControllerBench, openControllerBench } from '../../cluster/testing/controller-bench.ts'
import { startFleet } from '../fleet.ts'
import { virtualTiming } from '../kubelet/pod-settings.ts'
import { planNodes } from '../node-object.ts'
import { type Stage, stageProblem } from './stage.ts'
import { parseTemplate, renderTemplate } from './template.ts'

const render = (text: string) => renderTemplate(parseTemplate(text), { metadata: { name: 'web' } }, {})
const doubled = (step: string) => `{{ $a := "xxxxxxxxxx" }}${`{{ $a = ${step} }}`.repeat(40)}{{ $a }}`

describe('renderTemplate()', () => {
  it.each<[name: string, template: string, error: string]>([
    ['nested ranges', `${'{{ range until 1000 }}'.repeat(4)}x${'{{ end }}'.repeat(4)}`, 'exceeded the work limit'],
    ['a long text', '{{ range until 10000 }}0123456789012345678901234567890123456789{{ end }}', 'more than 131072 characters'],
    ['texts that double', doubled('print $a $a'), 'exceeded the work limit'],
    ['lists that double', doubled('list $a $a'), 'exceeded the work limit'],
    ['replacements', `{{ replace "x" "${'y'.repeat(2000)}" "${'x'.repeat(2000)}" }}`, 'a string is too long'],
    ['joins', `{{ join "${'y'.repeat(2000)}" (until 10000) }}`, 'a string is too long'],
    ['deep blocks', `${'{{ if true }}'.repeat(2000)}${'{{ end }}'.repeat(2000)}`, 'blocks are nested too deeply'],
    ['deep parentheses', `{{ ${'('.repeat(2000)}1${')'.repeat(2000)} }}`, 'parentheses are nested too deeply'],
  ])('refuses %s', (_, template, error) => expect(() => render(template)).toThrow(error))

  it('limits the indentation', () => expect(render('{{ YAML .metadata 1000000000 }}').length).toBeLessThan(1000))
})

const stageOf = (name: string, spec: object) =>
  ({ kind: 'Stage', metadata: { name }, spec: { resourceRef: { kind: 'Pod' }, ...spec } }) as Stage

it('rejects a Stage with an invalid regular expression', () => {
  const selector = { matchExpressions: [{ key: '.metadata.name | test("(")', operator: 'Exists' }] }
  expect(stageProblem(stageOf('bad', { selector, next: { delete: true } }))).toBe(
    'Cannot play Stage "bad": Cannot read regular expression "(": missing closing ): `(`',
  )
})

describe('a fleet with stages that fail', () => {
  let bench: ControllerBench | undefined
  afterEach(async () => {
    await bench?.stop()
    bench = undefined
  })

  it('records an event on the object, and plays the others', async () => {
    const phaseOf = (labels: object, statusTemplate: string) => ({ selector: { matchLabels: labels }, next: { statusTemplate } })
    const stages = [
      stageOf('up', phaseOf({ good: 'yes' }, 'phase: Running')),
      stageOf('long', phaseOf({ long: 'yes' }, `${'{{ range until 1000 }}'.repeat(4)}x${'{{ end }}'.repeat(4)}`)),
      stageOf('pattern', {
        selector: {
          matchLabels: { pattern: 'yes' },
          matchExpressions: [{ key: '.metadata.annotations.p | test(.)', operator: 'Exists' }],
        },
        next: { delete: true },
      }),
      stageOf('wide', {
        selector: { matchLabels: { wide: 'yes' }, matchExpressions: [{ key: `.${'|(.,.)'.repeat(28)}`, operator: 'Exists' }] },
        next: { delete: true },
      }),
    ]
    bench = await openControllerBench({
      start: (parts) => startFleet({ ...parts, timing: virtualTiming, nodes: planNodes([{ count: 1 }]), stages }),
    })
    const { client, settle, pass } = bench
    for (const label of ['long', 'pattern', 'wide', 'good'])
      await client.create(pods, 'default', {
        metadata: { name: label, labels: { [label]: 'yes' }, annotations: { p: '(' } },
        spec: { nodeName: 'node-1', containers: [{ name: 'c', image: 'x' }] },
      } as unknown as Pod)
    for (let count = 0; count < 10; count++) {
      pass(500)
      await settle()
    }
    const { items } = await client.list(pods, { namespace: 'default' })
    expect(items.map(({ metadata, status }) => `${metadata.name} ${status?.phase}`)).toEqual([
      'good Running',
      'long Pending',
      'pattern Pending',
      'wide Pending',
    ])
    const events = (await client.list(coreEvents)).items.filter(({ reason }) => reason === 'StageFailed')
    expect(new Set(events.map(({ involvedObject, message }) => `${involvedObject?.name}: ${message}`))).toEqual(
      new Set([
        'long: Cannot play stage "long": exceeded the work limit of a simulated container',
        'pattern: Cannot play the stages: Cannot read regular expression "(": missing closing ): `(`',
        'wide: Cannot play the stages: exceeded the work limit of a simulated container',
      ]),
    )
  })
})
