import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { pods } from '../../api/kinds.ts'
import { realClock } from '../../base/clock.ts'
import { createHttpClient } from '../../client/http-client.ts'
import { readKubeconfig } from '../../client/kubeconfig.ts'
import { matchers } from './matchers.ts'
import { startServer } from './test-server.ts'

const web = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' }, annotations: { 'rollcall.dev/start-delay': '40s' } },
      spec: { containers: [{ name: 'web', image: 'one' }] },
    },
  },
}

describe('startServer()', () => {
  it('serves on a real port, with a kubeconfig that is removed with the server', async () => {
    const server = await startServer({ nodes: 2, speed: 100 })
    try {
      await server.apply(web)
      expect((await matchers.toBecomeAvailable(server, 'deployment/web')).pass).toBe(true)
      const connection = await readKubeconfig({ paths: [server.env['KUBECONFIG']!], clock: realClock })
      expect(connection.server).toBe(server.url)
      const client = createHttpClient({ connection, clock: realClock, name: 'test' })
      expect((await client.list(pods, { namespace: 'default' })).items).toHaveLength(2)
      await client.close()
    } finally {
      await server.stop()
    }
    expect(existsSync(server.kubeconfig)).toBe(false)
  })

  it('advances virtual time only on request', async () => {
    const server = await startServer({ time: 'virtual', startTime: '2026-01-01T00:00:00Z', seed: 1 })
    try {
      await server.apply(web)
      expect(new Date(server.now()).toISOString()).toBe('2026-01-01T00:00:00.000Z')
      await server.advance('10s')
      expect(new Date(server.now()).toISOString()).toBe('2026-01-01T00:00:10.000Z')
      expect((await server.get('deploy', 'web'))?.status?.availableReplicas).toBeUndefined()
      expect((await matchers.toBecomeAvailable(server, 'deployment/web', { within: '1m' })).pass).toBe(true)
      await expect(server.until(() => false, { within: '1s', step: '100ms', what: 'pigs fly' })).rejects.toThrow(
        'Timed out after 1s of cluster time, waiting until pigs fly',
      )
    } finally {
      await server.stop()
    }
  })

  it.each(['virtual', 'real'] as const)('ends a wait in %s time when it stops', async (time) => {
    const server = await startServer({ time })
    const waiting = server.until(() => false, { within: '1h' })
    const ended = expect(waiting).rejects.toThrow('Cannot advance time: the server has stopped')
    await server.stop()
    await ended
  })

  it('refuses steps that do not advance time', async () => {
    const server = await startServer({ time: 'virtual' })
    try {
      await expect(server.advance('10s', { step: '0s' })).rejects.toThrow('Cannot advance time in steps of 0s')
    } finally {
      await server.stop()
    }
  })

  it('refuses options that it does not have', async () => {
    await expect(startServer({ nods: 1 } as never)).rejects.toThrow('there is no option "nods"')
    await expect(startServer({ time: 'fast' as never })).rejects.toThrow("give 'real' or 'virtual'")
    await expect(startServer({ time: 'virtual', speed: 2 })).rejects.toThrow('Cannot set a speed for virtual time')
    // With these, time would never pass.
    for (const speed of [0, -1, Number.NaN, '2'])
      await expect(startServer({ speed: speed as number })).rejects.toThrow('give a number from 0.001 to 10000')
    await expect(startServer({ port: 65_536 })).rejects.toThrow('Cannot listen on port 65536')
  })
})
