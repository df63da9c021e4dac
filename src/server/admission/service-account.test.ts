import { describe, expect, it } from 'vitest'
import { limitRanges, serviceAccounts } from '../../api/kinds.ts'
import type { Pod, ServiceAccount } from '../../api/types.ts'
import { type Bench, input, openBench, options, podKind } from '../rest/testing/rest-bench.ts'

const accountKind = serviceAccounts
const path = '/var/run/secrets/kubernetes.io/serviceaccount'

const openWith = async (...accounts: readonly object[]): Promise<Bench> => {
  const bench = await openBench({ admissionPlugins: ['ServiceAccount'] })
  for (const account of accounts) await bench.create(accountKind, account)
  return bench
}

const account = (name: string, more: Partial<ServiceAccount> = {}) => ({ metadata: { name }, ...more })
const container = { name: 'main', image: 'shop/web' }
const podOf = (spec: object = {}, metadata: object = {}) => ({
  metadata: { name: 'a', ...metadata },
  spec: { containers: [container], ...spec },
})
const createPod = async (bench: Bench, spec?: object, metadata?: object) => (await bench.create(podKind, podOf(spec, metadata))) as Pod

const refusalOf = (bench: Bench, spec?: object, metadata?: object) =>
  createPod(bench, spec, metadata).then(
    () => 'accepted',
    (error) => error.status.message as string,
  )

describe('the ServiceAccount plugin', () => {
  it('is off by default: a pod gets neither an account nor a volume', async () => {
    const bench = await openBench()
    const { spec } = await createPod(bench)
    expect(spec).not.toHaveProperty('serviceAccountName')
    expect(spec).not.toHaveProperty('volumes')
  })

  it('gives a pod the default account and its token', async () => {
    const bench = await openWith(account('default'))
    const { spec } = await createPod(bench, { initContainers: [{ name: 'first', image: 'shop/init' }] })
    expect(spec).toMatchObject({ serviceAccountName: 'default', serviceAccount: 'default' })
    const name = spec!.volumes![0]!.name
    expect(name).toMatch(/^kube-api-access-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
    expect(spec!.volumes).toEqual([
      {
        name,
        projected: {
          sources: [
            { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
            { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
            { downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] } },
          ],
          defaultMode: 420,
        },
      },
    ])
    for (const one of [...spec!.initContainers!, ...spec!.containers])
      expect(one.volumeMounts).toEqual([{ name, readOnly: true, mountPath: path }])
  })

  it('leaves containers alone that have a mount at the path, and adds no volume where none needs it', async () => {
    const bench = await openWith(account('default'))
    const own = { ...container, volumeMounts: [{ name: 'mine', mountPath: path }] }
    const volumes = [{ name: 'mine', emptyDir: {} }]
    const alone = await createPod(bench, { containers: [own], volumes })
    expect(alone.spec!.volumes).toEqual(volumes)
    const both = await createPod(bench, { containers: [own, { ...container, name: 'other' }], volumes }, { name: 'b' })
    expect(both.spec!.volumes).toHaveLength(2)
    expect(both.spec!.containers[0]!.volumeMounts).toHaveLength(1)
    expect(both.spec!.containers[1]!.volumeMounts).toEqual([{ name: both.spec!.volumes![1]!.name, readOnly: true, mountPath: path }])
  })

  it('uses a volume of the pod with the prefix of its name', async () => {
    const bench = await openWith(account('default'))
    const volumes = [{ name: 'kube-api-access-mine', emptyDir: {} }]
    const { spec } = await createPod(bench, { volumes })
    expect(spec!.volumes).toEqual(volumes)
    expect(spec!.containers[0]!.volumeMounts).toEqual([{ name: 'kube-api-access-mine', readOnly: true, mountPath: path }])
  })

  it.each([
    ['neither says anything', undefined, undefined, true],
    ['the account opts out', false, undefined, false],
    ['the account opts in', true, undefined, true],
    ['the pod opts in, the account out', false, true, true],
    ['the pod opts out, the account in', true, false, false],
    ['the pod opts out', undefined, false, false],
  ])('mounts the token or not where %s', async (_, ofAccount, ofPod, isMounted) => {
    const bench = await openWith(account('bot', ofAccount === undefined ? {} : { automountServiceAccountToken: ofAccount }))
    const automount = ofPod === undefined ? {} : { automountServiceAccountToken: ofPod }
    const { spec } = await createPod(bench, { serviceAccountName: 'bot', ...automount })
    expect(spec!.serviceAccount).toBe('bot')
    expect(spec!.volumes ?? []).toHaveLength(isMounted ? 1 : 0)
  })

  it('copies the pull secrets of the account, unless the pod has some', async () => {
    const bench = await openWith(account('default', { imagePullSecrets: [{ name: 'one' }, { name: 'two' }] }))
    expect((await createPod(bench)).spec!.imagePullSecrets).toEqual([{ name: 'one' }, { name: 'two' }])
    const own = await createPod(bench, { imagePullSecrets: [{ name: 'own' }] }, { name: 'b' })
    expect(own.spec!.imagePullSecrets).toEqual([{ name: 'own' }])
  })

  it('follows a change of the account', async () => {
    const bench = await openWith(account('default'))
    expect((await createPod(bench)).spec!.volumes).toHaveLength(1)
    const changed = account('default', { automountServiceAccountToken: false })
    await bench.rest.update(accountKind, 'default', 'default', undefined, input(changed), options)
    expect((await createPod(bench, {}, { name: 'b' })).spec!.volumes).toBeUndefined()
  })

  it('lets pods of one template share their spec, with its token volume', async () => {
    const bench = await openWith(account('default'))
    const [first, second] = [await createPod(bench), await createPod(bench, {}, { name: 'b' })]
    expect(second.spec).toBe(first.spec)
    const other = await createPod(bench, { hostname: 'other' }, { name: 'c' })
    expect(other.spec!.volumes![0]!.name).not.toBe(first.spec!.volumes![0]!.name)
  })

  it('runs after the LimitRanger, and before the pod is validated', async () => {
    const bench = await openWith(account('default'))
    const limits = [{ type: 'Container', defaultRequest: { cpu: '100m' } }]
    await bench.create(limitRanges, { metadata: { name: 'small' }, spec: { limits } })
    const { spec } = await createPod(bench)
    expect(spec!.containers[0]).toMatchObject({ resources: { requests: { cpu: '100m' } }, volumeMounts: [{ mountPath: path }] })
  })

  it('refuses an account that does not exist', async () => {
    const bench = await openWith(account('default'))
    expect(await refusalOf(bench, { serviceAccountName: 'nobody' })).toBe(
      'pods "a" is forbidden: error looking up service account default/nobody: serviceaccount "nobody" not found',
    )
    expect(await refusalOf(bench, { serviceAccount: 'nobody' })).toContain('default/nobody')
  })

  it('waits for the default account of a new namespace, and refuses the pod if it does not come', async () => {
    const bench = await openWith()
    const waiting = createPod(bench)
    const refused = refusalOf(bench, {}, { name: 'late' })
    await bench.create(accountKind, account('other'))
    bench.clock.pass(200)
    await bench.create(accountKind, account('default'))
    bench.clock.pass(200)
    expect((await waiting).spec!.serviceAccountName).toBe('default')
    expect(await refused).toBe('accepted')

    const empty = await openWith()
    const late = refusalOf(empty)
    for (let i = 0; i < 9; i++) {
      empty.clock.pass(200)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await late).toBe('pods "a" is forbidden: error looking up service account default/default: serviceaccount "default" not found')
  })

  it('does not wait in a namespace that does not exist', async () => {
    const bench = await openWith()
    await expect(bench.create(podKind, podOf(), 'nowhere')).rejects.toMatchObject({ status: { reason: 'NotFound' } })
  })

  const mirror = { annotations: { 'kubernetes.io/config.mirror': 'x' } }
  const volumesOf = (projection: object) => ({ volumes: [{ name: 'v', projected: { sources: [projection] } }] })
  it.each([
    ['an account', { serviceAccountName: 'default' }, 'a mirror pod may not reference service accounts'],
    ['a pull secret', { imagePullSecrets: [{ name: 's' }] }, 'a mirror pod may not reference secrets'],
    ['a projected secret', volumesOf({ secret: { name: 's' } }), 'a mirror pod may not reference secrets'],
    ['a token', volumesOf({ serviceAccountToken: { path: 't' } }), 'a mirror pod may not use ServiceAccountToken volume projections'],
  ])('refuses a mirror pod with %s', async (_, spec, why) => {
    const bench = await openWith(account('default'))
    expect(await refusalOf(bench, { nodeName: 'node-1', ...spec }, mirror)).toBe(`pods "a" is forbidden: ${why}`)
  })

  it('leaves the spec of a mirror pod as it is', async () => {
    const bench = await openWith(account('default'))
    const { spec } = await createPod(bench, { nodeName: 'node-1' }, mirror)
    expect(spec).not.toHaveProperty('serviceAccountName')
    expect(spec).not.toHaveProperty('volumes')
  })

  const limited = account('default', {
    metadata: { name: 'default', annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } },
    secrets: [{ name: 'allowed' }],
    imagePullSecrets: [{ name: 'allowed' }],
  })
  const because = 'is not allowed because service account default does not reference that'
  const env = [{ name: 'KEY', valueFrom: { secretKeyRef: { name: 'x', key: 'k' } } }]
  it.each([
    ['a volume', { volumes: [{ name: 'v', secret: { secretName: 'x' } }] }, `volume with secret.secretName="x" ${because} secret`],
    [
      'a variable',
      { containers: [{ ...container, env }] },
      `container main with envVar KEY referencing secret.secretName="x" ${because} secret`,
    ],
    [
      'the variables of an init container',
      { initContainers: [{ ...container, name: 'i', envFrom: [{ secretRef: { name: 'x' } }] }] },
      `init container i with envFrom referencing secret.secretName="x" ${because} secret`,
    ],
    ['a pull secret', { imagePullSecrets: [{ name: 'x' }] }, `imagePullSecrets[0].name="x" ${because} imagePullSecret`],
  ])('refuses %s that the account does not name, where the account asks for it', async (_, spec, why) => {
    const bench = await openWith(limited)
    expect(await refusalOf(bench, spec)).toBe(`pods "a" is forbidden: ${why}`)
    const allowed = JSON.parse(JSON.stringify(spec).replaceAll('"x"', '"allowed"'))
    expect(await refusalOf(bench, allowed)).toBe('accepted')
  })

  it('refuses an ephemeral container with such a secret', async () => {
    const bench = await openWith(limited)
    const pod = await createPod(bench)
    const spec = { ...pod.spec, ephemeralContainers: [{ name: 'debug', image: 'busybox', env }] }
    const update = bench.rest.update(podKind, 'default', 'a', 'ephemeralcontainers', input({ ...pod, spec }), options)
    await expect(update).rejects.toMatchObject({
      status: {
        message: `pods "a" is forbidden: ephemeral container debug with envVar KEY referencing secret.secretName="x" ${because} secret`,
      },
    })
  })
})
