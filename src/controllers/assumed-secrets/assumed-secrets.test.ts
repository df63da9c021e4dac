import { afterEach, describe, expect, it } from 'vitest'
import { pods, secrets } from '../../api/kinds.ts'
import type { Pod } from '../../api/types.ts'
import { type ControllerBench, openControllerBench } from '../../cluster/testing/controller-bench.ts'
import { startAssumedSecrets } from './assumed-secrets.ts'

let bench: ControllerBench
afterEach(() => bench.stop())

const read = (name: string) => bench.client.get(secrets, { namespace: 'default', name })

describe('startAssumedSecrets()', () => {
  it('creates the Secrets that a pod has waited for, with the keys that it reads', async () => {
    bench = await openControllerBench({ start: startAssumedSecrets })
    await bench.client.create(secrets, 'default', { metadata: { name: 'known' }, data: { own: 'eA==' } })
    await bench.client.create(pods, 'default', {
      metadata: { name: 'a' },
      spec: {
        containers: [
          {
            name: 'c',
            image: 'shop/app',
            env: [
              { name: 'A', valueFrom: { secretKeyRef: { name: 'password', key: 'admin' } } },
              { name: 'B', valueFrom: { secretKeyRef: { name: 'optional', key: 'x', optional: true } } },
              { name: 'C', valueFrom: { secretKeyRef: { name: 'known', key: 'own' } } },
            ],
          },
        ],
        volumes: [{ name: 'tls', secret: { secretName: 'webhook-cert' } }],
      },
    } as Pod)
    await bench.settle()
    await expect(read('webhook-cert')).rejects.toMatchObject({ status: { reason: 'NotFound' } })
    bench.pass(30_000)
    await bench.settle()
    const certificate = await read('webhook-cert')
    expect(certificate.metadata.labels).toEqual({ 'rollcall.dev/assumed': 'true' })
    expect(Object.keys(certificate.data ?? {})).toEqual(['ca.crt', 'tls.crt', 'tls.key'])
    expect((await read('password')).data).toEqual({ admin: btoa('assumed admin') })
    expect((await read('known')).data).toEqual({ own: 'eA==' })
    await expect(read('optional')).rejects.toMatchObject({ status: { reason: 'NotFound' } })
    expect(await bench.events()).toContain(
      'AssumedSecret: Created a placeholder for Secret "webhook-cert", for which the pod has waited 30 seconds',
    )
    expect(bench.failures).toEqual([])
  })
})
