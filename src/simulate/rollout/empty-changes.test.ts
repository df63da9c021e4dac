import { describe, expect, it } from 'vitest'
import { notesOfEmptyChanges } from './empty-changes.ts'
import type { Action, PlannedObject } from './plan.ts'

const web = (image: string) =>
  ({
    object: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        template: {
          spec: {
            containers: [
              { name: 'web', image },
              { name: 'proxy', image: 'proxy:1' },
            ],
          },
        },
      },
    },
    place: { source: 'web.yaml', line: 1 },
  }) as unknown as PlannedObject
const target = { kind: 'Deployment', namespace: 'default', name: 'web' }
const same = 'the change changes nothing: Deployment web has the image web:1 already'

describe('notesOfEmptyChanges()', () => {
  it.each<[string, Action, string[]]>([
    ['another image', { type: 'image', target, image: 'web:2' }, []],
    ['the same image', { type: 'image', target, image: 'web:1' }, [same]],
    ['the same image of the named container', { type: 'image', target, container: 'web', image: 'web:1' }, [same]],
    ['the image of another container', { type: 'image', target, container: 'proxy', image: 'web:1' }, []],
    ['an image of an unknown workload', { type: 'image', target: { ...target, name: 'api' }, image: 'web:1' }, []],
    ['the same manifest', { type: 'apply', objects: [web('web:1')] }, ['the change changes nothing: the manifests are the same']],
    ['another manifest', { type: 'apply', objects: [web('web:2')] }, []],
    ['a restart', { type: 'restart', target }, []],
  ])('notes %s', (_, action, notes) => {
    expect(notesOfEmptyChanges([{ atMs: 0, text: '', action }], [web('web:1')])).toEqual(notes)
  })
})
