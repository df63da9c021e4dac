import { describe, expect, it } from 'vitest'
import { makePlan } from './make-plan.ts'
import { notesOfPaused } from './paused-workloads.ts'
import type { Action, PlannedObject } from './plan.ts'

const web = (paused: boolean) =>
  ({ object: { kind: 'Deployment', metadata: { name: 'web' }, spec: { paused } } }) as unknown as PlannedObject
const target = { kind: 'Deployment', namespace: 'default', name: 'web' }
const note = 'Deployment default/web stays paused: it counts as complete when its pods are available, also those of old revisions'

describe('notesOfPaused()', () => {
  it.each<[string, boolean, Action[], string[]]>([
    ['a running rollout', false, [{ type: 'image', target, image: 'web:2' }], []],
    ['a pause', false, [{ type: 'pause', target }], [note]],
    [
      'a pause that ends',
      false,
      [
        { type: 'pause', target },
        { type: 'resume', target },
      ],
      [],
    ],
    ['a paused manifest', true, [], [note]],
    ['a paused manifest that is resumed', true, [{ type: 'resume', target }], []],
    ['a new manifest that is paused', false, [{ type: 'apply', objects: [web(true)] }], [note]],
    ['a new manifest that is not paused', true, [{ type: 'apply', objects: [web(false)] }], []],
    ['a paused Deployment that is deleted', true, [{ type: 'delete', target }], []],
  ])('notes %s', (_, isPaused, actions, notes) => {
    const steps = actions.map((action, index) => ({ atMs: index, text: '', action }))
    expect(notesOfPaused(steps, [web(isPaused)])).toEqual(notes)
  })

  it('is an assumption of a plan', async () => {
    const text = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  paused: true
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: web:1 }] }
`
    const given = [{ name: 'web.yaml', text }]
    const plan = await makePlan({ given, files: [], to: [], scale: [], faults: [], expect: [], command: '' })
    expect(plan.assumptions).toContain(note)
  })
})
