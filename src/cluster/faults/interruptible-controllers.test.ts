import { describe, expect, it } from 'vitest'
import { pods } from '../../api/kinds.ts'
import { realClock } from '../../base/clock.ts'
import type { Client, WatchHandlers } from '../../client/client.ts'
import { SharedInformers } from '../../runtime/shared-informers.ts'
import { InterruptibleControllers, type StartNamed } from './interruptible-controllers.ts'

/** A server with one pod, whose resourceVersion grows with each change. */
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

function openControllers() {
  const { client, change } = openServer()
  const observed: string[] = []
  const clients: Client[] = []
  const stopped: number[] = []
  const start: StartNamed = (own, informers) => {
    const number = clients.push(own)
    const informer = informers.get(pods)
    informer.onChange((current) => observed.push(`${number}: ${current?.metadata.resourceVersion}`))
    return { synced: informer.synced, stop: async () => void stopped.push(number) }
  }
  const informers = new SharedInformers({ client, clock: realClock })
  const options = { starts: { one: start }, clientFor: () => client, clock: realClock, onFailure() {} }
  const controllers = new InterruptibleControllers(options, informers)
  informers.start()
  const read = (at: number) => clients[at]!.get(pods, { namespace: 'a', name: 'p' })
  return { controllers, change, observed, stopped, read }
}

describe('InterruptibleControllers', () => {
  it('stops a controller between two calls, and starts a new one from the stored objects', async () => {
    const { controllers, change, observed, stopped, read } = openControllers()
    await controllers.synced
    const underWay = read(0)
    await Promise.all([controllers.stop('one'), expect(underWay).rejects.toThrow('The connection is cut')])
    await expect(read(0)).rejects.toThrow('The connection is cut')
    expect(stopped).toEqual([1])
    change()
    await controllers.start('one')
    expect(observed.filter((entry) => entry.startsWith('2'))).toEqual(['2: 2'])
    await read(1)
    await controllers.stop('one')
    await controllers.stop('one')
    expect(stopped).toEqual([1, 2])
  })

  it('holds changes back from a stale controller, and delivers them in their order when it is started', async () => {
    const { controllers, change, observed } = openControllers()
    await controllers.synced
    await controllers.makeStale('one')
    change()
    change()
    const own = () => observed.filter((entry) => entry.startsWith('2'))
    expect(own()).toEqual(['2: 1'])
    await controllers.start('one')
    expect(own()).toEqual(['2: 1', '2: 2', '2: 3'])
    change()
    expect(own().at(-1)).toBe('2: 4')
    await controllers.stopAll()
  })
})
