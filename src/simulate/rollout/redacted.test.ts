import { describe, expect, it } from 'vitest'
import { redactedSource } from './redacted.ts'

const yaml = await import('yaml')
const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'keys' }, data: { a: 'aHVudGVyMg==' }, stringData: { b: 'hunter2' } }
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"a":"hunter2"}', team: 'shop' } },
  spec: {
    containers: [
      {
        name: 'web',
        env: [
          { name: 'DB_PASSWORD', value: 'hunter2' },
          { name: 'DB_USER', value: 'shop' },
        ],
      },
    ],
  },
}
const list = { apiVersion: 'v1', kind: 'List', items: [secret, pod] }

describe('redactedSource()', () => {
  it.each([
    ['text', { name: 'a.yaml', text: JSON.stringify(list, null, 2) }],
    ['objects', { name: 'a.yaml', objects: [list] }],
  ])('hides what Secrets hold, and likely credentials, in %s', (_, source) => {
    const { name, text } = redactedSource(yaml, source as never)
    expect(name).toBe('a.yaml')
    expect(text).not.toMatch(/hunter2|aHVudGVyMg/)
    const [hidden, shown] = (JSON.parse(text) as { items: [typeof secret, typeof pod] }).items
    expect(hidden).toEqual({ ...secret, data: { a: '<redacted>' }, stringData: { b: '<redacted>' } })
    expect(shown.spec.containers[0]!.env).toEqual([
      { name: 'DB_PASSWORD', value: '<redacted>' },
      { name: 'DB_USER', value: 'shop' },
    ])
    expect(shown.metadata.annotations.team).toBe('shop')
  })
})
