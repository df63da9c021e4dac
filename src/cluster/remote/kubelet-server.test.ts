import { request } from 'node:https'
import { afterEach, expect, test } from 'vitest'
import { startKubeletServer } from './kubelet-server.ts'

let server: Awaited<ReturnType<typeof startKubeletServer>> | undefined
afterEach(() => server?.stop())

const ask = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  new Promise<number>((resolve, reject) => {
    const outgoing = request(
      { host: '127.0.0.1', port: server!.port, path, rejectUnauthorized: false, agent: false, headers },
      (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      },
    )
    outgoing.on('error', reject)
    outgoing.end()
  })

test('paths that cannot be decoded are refused, for requests and upgrades', async () => {
  const pod = { metadata: { name: 'p', namespace: 'n', uid: 'u', resourceVersion: '1' } } as never
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket' }
  server = await startKubeletServer({
    address: '127.0.0.1',
    port: 0,
    nowMs: Date.now(),
    findPod: () => pod,
    fleet: () => ({ readLog: () => 'line\n', exec: () => undefined }),
  })
  expect(await ask('/%zz')).toBe(404)
  expect(await ask('/containerLogs/n/%zz/c')).toBe(404)
  expect(await ask('/%zz', upgrade)).toBe(400)
  expect(await ask('/containerLogs/n/p/c')).toBe(200)
})

test('a log that fails ends its own connection only', async () => {
  server = await startKubeletServer({
    address: '127.0.0.1',
    port: 0,
    nowMs: Date.now(),
    findPod: () => {
      throw new Error('a fault of ours')
    },
    fleet: () => undefined,
  })
  await expect(ask('/containerLogs/n/p/c')).rejects.toThrow()
  await expect(ask('/exec/n/p/c', { connection: 'Upgrade', upgrade: 'websocket' })).rejects.toThrow()
  expect(await ask('/')).toBe(404)
})
