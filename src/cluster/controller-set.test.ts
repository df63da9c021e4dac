import { describe, expect, it } from 'vitest'
import { pods } from '../api/kinds.ts'
import { realClock } from '../base/clock.ts'
import type { Client, WatchHandlers } from '../client/client.ts'
import { SharedInformers } from '../runtime/shared-informers.ts'
import { ControllerSet, type StartNamed } from './controller-set.ts'

/** A server with a pod whose resourceVersion is `version`. */
function openServer() {
  const watches = new Set<WatchHandlers<never>>()
  const pod = (version: number) => ({ metadata: { name: 'p', namespace: 'a', uid: 'u', resourceVersion: String(version) } })
  let version = 1
  const client = {
    list: async () => ({ items: [pod(version)], resourceVersion: String(version) }),
    get: () => new Promise((resolve) => realClock.after(0, () => resolve(pod(version)))),
    watch(_resource: unknown, _request: unknown, handlers: WatchHandlers<never>) {
      watches.add(handlers)
      return () => watches.delete(handlers)
    },
  } as unknown as Client
  const change = () => {
    version++
    for (const { onEvents } of watches) onEvents([{ type: 'MODIFIED', object: pod(version) as never }])
  }
  return { client, change }
}

function openSet() {
  const { client, change } = openServer()
  const heard: string[] = []
  const clients: Client[] = []
  const stopped: number[] = []
  const start: StartNamed = (own, informers) => {
    const number = clients.push(own)
    const informer = informers.get(pods)
    informer.onChange((current) => heard.push(`${number}: ${current?.metadata.resourceVersion}`))
    return { synced: informer.synced, stop: async () => void stopped.push(number) }
  }
  const informers = new SharedInformers({ client, clock: realClock })
  const set = new ControllerSet({ starts: { one: start }, clientFor: () => client, clock: realClock, onFailure() {} }, informers)
  informers.start()
  const read = (at: number) => clients[at]!.get(pods, { namespace: 'a', name: 'p' })
  return { set, change, heard, stopped, read }
}

describe('ControllerSet', () => {
  it('stops one between two calls, and starts another from what is stored', async () => {
    const { set, change, heard, stopped, read } = openSet()
    await set.synced
    const underWay = read(0)
    await Promise.all([set.stop('one'), expect(underWay).rejects.toThrow('The connection is cut')])
    await expect(read(0)).rejects.toThrow('The connection is cut')
    expect(stopped).toEqual([1])
    change()
    await set.start('one')
    expect(heard.filter((line) => line.startsWith('2'))).toEqual(['2: 2'])
    await read(1)
    await set.stop('one')
    await set.stop('one')
    expect(stopped).toEqual([1, 2])
  })

  it('holds changes back from one, and hands them over in their order', async () => {
    const { set, change, heard } = openSet()
    await set.synced
    await set.makeStale('one')
    change()
    change()
    const own = () => heard.filter((line) => line.startsWith('2'))
    expect(own()).toEqual(['2: 1'])
    await set.start('one')
    expect(own()).toEqual(['2: 1', '2: 2', '2: 3'])
    change()
    expect(own().at(-1)).toBe('2: 4')
    await set.stopAll()
  })
})
