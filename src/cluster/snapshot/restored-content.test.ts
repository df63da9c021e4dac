import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import type { KubernetesObject } from '../../api/types.ts'
import { readRestoredContent } from './restored-content.ts'
import { SnapshotWriter } from './snapshot-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'rollcall-snapshot-'))
afterAll(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'web.snapshot')

const head = { rollcall: '0.1.0', kubernetes: 'v1.37.1', source: 'rollcall', time: '2026-01-01T00:00:00.000000Z', revision: 90 } as const
const metadata = (name: string, resourceVersion: string, more: object = {}) => ({ name, uid: `uid-${name}`, resourceVersion, ...more })
const inDefault = { namespace: 'default' }
const pod = (change: object = {}) => ({
  metadata: metadata('web-1', '12', inDefault),
  spec: { nodeName: 'node-1', containers: [{ name: 'a', image: 'b', unknown: 1 }] },
  status: { phase: 'Running' },
  ...change,
})
const saved = (key: string, object: object, createRevision = 10) => ({ key, createRevision, object: object as KubernetesObject })

function text(objects: readonly { key: string; createRevision: number; object: KubernetesObject }[], first: object = head): string {
  const writer = new SnapshotWriter()
  return writer.head(first as typeof head) + objects.map((one) => writer.object(one)).join('') + writer.end()
}
const read = (content: string | Buffer) => {
  writeFileSync(path, content)
  return readRestoredContent(path)
}
const unsummed = (content: string) => content.replace(/,"sha256":"[0-9a-f]+"/, '')

describe('readRestoredContent()', () => {
  it('gives the records of a store, in the order of their keys, as the server writes them', async () => {
    const widget = { metadata: { ...inDefault, uid: 'w', resourceVersion: '90', name: 'w' }, spec: { x: 1 } }
    const whole = text([saved('widgets.example.com/default/w', widget), saved('pods/default/web-1', pod())])
    for (const content of [whole, gzipSync(whole)]) {
      const found = await read(content)
      expect(found.timeMs).toBe(Date.UTC(2026, 0, 1))
      expect(found.content.revision).toBe(90)
      expect(found.content.records.map(({ key, revision, createRevision }) => [key, revision, createRevision])).toEqual([
        ['pods/default/web-1', 12, 10],
        ['widgets.example.com/default/w', 90, 10],
      ])
      expect(found.content.records[1]!.value).toBe(
        '{"metadata":{"name":"w","namespace":"default","uid":"w","resourceVersion":"90"},"spec":{"x":1}}',
      )
      expect(JSON.parse(found.content.records[0]!.value)).toMatchObject({ status: { phase: 'Running' }, spec: { nodeName: 'node-1' } })
      expect(found.content.records[0]!.value).not.toContain('unknown')
    }
  })

  it('simulates the nodes of another cluster', async () => {
    const node = saved('nodes/ip-10-0-0-1', { metadata: metadata('ip-10-0-0-1', '20', { annotations: { a: 'b' } }) })
    const own = await read(text([node]))
    expect(own.content.records[0]!.value).not.toContain('rollcall.dev')
    const other = await read(text([node], { ...head, source: 'kubernetes' }))
    expect(other.content.records[0]!.value).toContain('"annotations":{"a":"b","rollcall.dev/node":"simulated"}')
  })

  const whole = text([saved('pods/default/web-1', pod())])
  const withPod = (change: object, key = 'pods/default/web-1') => text([saved(key, pod(change))])
  it.each<[string, string | Buffer, string]>([
    ['an empty file', '', 'it is empty'],
    ['another file', 'kind: Pod\n', 'rollcall save did not write it'],
    ['another JSON file', '{"format":"json"}\n', 'rollcall save did not write it'],
    ['a trace', '{"format":"rollcall.trace/1"}\n', 'its format is rollcall.trace/1, and this Rollcall reads rollcall.snapshot/1'],
    ['a file of a later version', whole.replace('snapshot/1', 'snapshot/2'), 'its format is rollcall.snapshot/2'],
    ['a file without its end', whole.slice(0, whole.lastIndexOf('{')), 'it is cut off after 1 objects'],
    ['a file that is cut off in a line', whole.slice(0, 200), 'line 2 is not a JSON object: the file is damaged'],
    ['a compressed file that is cut off', gzipSync(whole).subarray(0, 100), 'its compression is damaged or cut off'],
    ['a changed byte', whole.replace('web-1"', 'web-2"'), 'its checksum differs. If you edited the file, remove "sha256"'],
    ['a removed object', unsummed(whole).replace(/\{"key".*\n/, ''), 'it has 0 objects, and its last line says 1'],
    ['something after the end', `${whole}{}\n`, 'line 4 follows its end'],
    ['a key that is none', unsummed(whole).replace('pods/default/web-1', 'web-1'), 'line 2 has the key "web-1"'],
    ['a kind that is none', unsummed(whole).replace('pods/default', 'prods/default'), 'line 2: prods/default/web-1 is of a kind that'],
    ['an object under the key of another', withPod({}, 'pods/default/other'), 'line 2: pods/default/other is the object default/web-1'],
    ['a pod without a namespace', withPod({ metadata: metadata('web-1', '12') }, 'pods/web-1'), 'line 2: pods/web-1 has no namespace'],
    ['a spec of another type', withPod({ spec: 5 }), 'line 2: pods/default/web-1 cannot be read: json: cannot unmarshal number'],
    ['metadata of another type', withPod({ metadata: [] }), 'line 2: pods/default/web-1 has no object with metadata'],
    ['no uid', withPod({ metadata: metadata('web-1', '12', { ...inDefault, uid: '' }) }), 'line 2: pods/default/web-1 has no uid'],
    ['a resourceVersion of the future', withPod({ metadata: metadata('web-1', '91', inDefault) }), 'has the resourceVersion "91"'],
    ['a resourceVersion in words', withPod({ metadata: metadata('web-1', 'new', inDefault) }), 'has the resourceVersion "new"'],
    ['an object twice', text([saved('pods/default/web-1', pod()), saved('pods/default/web-1', pod())]), 'of another object'],
    ['a head without a revision', whole.replace('"revision":90', '"revision":"x"'), 'its first line has no "revision"'],
    ['a head without a time', whole.replace(/"time":"[^"]+"/, '"time":"soon"'), 'its first line has no "time"'],
  ])('refuses %s', async (_, content, message) => {
    const refused = await read(content).catch((error: Error) => error.message)
    expect(refused).toContain(`Cannot read ${path} as a snapshot: `)
    expect(refused).toContain(message)
  })

  it('refuses a file that does not exist', async () => {
    await expect(readRestoredContent(join(folder, 'nix'))).rejects.toThrow('as a snapshot: there is no such file')
  })

  it('reads a file that was edited, without its checksum', async () => {
    const found = await read(unsummed(whole).replace('Running', 'Pending'))
    expect(found.content.records[0]!.value).toContain('"phase":"Pending"')
  })
})
