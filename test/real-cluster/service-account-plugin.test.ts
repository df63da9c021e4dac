// The ServiceAccount admission plugin: the same pods are created on a real kube-apiserver and on Rollcall, and the answers are compared.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pods, serviceAccounts } from '../../src/api/kinds.ts'
import type { Pod, ServiceAccount } from '../../src/api/types.ts'
import { type Bench, openBench, podKind } from '../../src/server/rest/testing/rest-bench.ts'
import { missing, type RealControlPlane, startRealControlPlane } from './real-control-plane.ts'

const path = '/var/run/secrets/kubernetes.io/serviceaccount'
const enforced = { 'kubernetes.io/enforce-mountable-secrets': 'true' }
const accounts = [
  { metadata: { name: 'default' } },
  { metadata: { name: 'in' }, automountServiceAccountToken: true },
  { metadata: { name: 'out' }, automountServiceAccountToken: false },
  { metadata: { name: 'puller' }, imagePullSecrets: [{ name: 'a' }, { name: 'b' }] },
  { metadata: { name: 'strict', annotations: enforced }, secrets: [{ name: 'known' }], imagePullSecrets: [{ name: 'known' }] },
] as const satisfies readonly object[]

const main = { name: 'main', image: 'shop/web' }
const pod = (spec: object, metadata: object = {}) => ({ metadata: { name: 'p', ...metadata }, spec: { containers: [main], ...spec } })
const mirror = { annotations: { 'kubernetes.io/config.mirror': 'x' } }
const volume = (source: object) => ({ volumes: [{ name: 'v', ...source }] })
const own = { ...main, volumeMounts: [{ name: 'v', mountPath: path }] }
const variable = (name: string) => [{ name: 'KEY', valueFrom: { secretKeyRef: { name, key: 'k' } } }]
const strict = (spec: object) => pod({ serviceAccountName: 'strict', ...spec })

const cases: readonly (readonly [string, object])[] = [
  ['a plain pod', pod({})],
  ['a generated name', { metadata: { generateName: 'p-' }, spec: { containers: [main], serviceAccountName: 'none' } }],
  [
    'init containers and several containers',
    pod({ initContainers: [{ name: 'i', image: 'x' }], containers: [main, { name: 'b', image: 'y' }] }),
  ],
  ['the old name of the field', pod({ serviceAccount: 'in' })],
  ['an account that does not exist', pod({ serviceAccountName: 'none' })],
  ['an account that opts in', pod({ serviceAccountName: 'in' })],
  ['an account that opts out', pod({ serviceAccountName: 'out' })],
  ['a pod that opts in', pod({ serviceAccountName: 'out', automountServiceAccountToken: true })],
  ['a pod that opts out', pod({ serviceAccountName: 'in', automountServiceAccountToken: false })],
  ['pull secrets of the account', pod({ serviceAccountName: 'puller' })],
  ['pull secrets of the pod', pod({ serviceAccountName: 'puller', imagePullSecrets: [{ name: 'c' }] })],
  ['a mount at the path', pod({ containers: [own], ...volume({ emptyDir: {} }) })],
  ['a mount at the path in one of two containers', pod({ containers: [own, { ...main, name: 'b' }], ...volume({ emptyDir: {} }) })],
  ['a volume with the prefix', pod({ volumes: [{ name: 'kube-api-access-mine', emptyDir: {} }] })],
  ['a projected token', pod(volume({ projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }))],
  ['a mirror pod', pod({ nodeName: 'n' }, mirror)],
  ['a mirror pod with an account', pod({ nodeName: 'n', serviceAccountName: 'in' }, mirror)],
  ['a mirror pod with a secret', pod({ nodeName: 'n', ...volume({ secret: { secretName: 's' } }) }, mirror)],
  [
    'a mirror pod with a token',
    pod({ nodeName: 'n', ...volume({ projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }) }, mirror),
  ],
  ['a known secret', strict(volume({ secret: { secretName: 'known' } }))],
  ['an unknown secret in a volume', strict(volume({ secret: { secretName: 'x' } }))],
  ['an unknown secret in a variable', strict({ containers: [{ ...main, env: variable('x') }] })],
  ['an unknown secret in variables', strict({ containers: [{ ...main, envFrom: [{ secretRef: { name: 'x' } }] }] })],
  ['an unknown secret of an init container', strict({ initContainers: [{ name: 'i', image: 'x', env: variable('x') }] })],
  ['an unknown pull secret', strict({ imagePullSecrets: [{ name: 'known' }, { name: 'x' }] })],
  ['a mistake besides the account', pod({ containers: [{ name: 'UPPER', image: 'x' }] })],
]

/** The part that is compared, with the random parts of names replaced. */
const comparable = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer).replaceAll(/kube-api-access-[a-z0-9]{5}(?=")/g, 'kube-api-access-?????'))

async function outcome(created: Promise<unknown>): Promise<unknown> {
  try {
    const { spec } = (await created) as Pod
    return comparable({ spec })
  } catch (error) {
    const { status } = error as { readonly status: { readonly code: number; readonly reason: string; readonly message: string } }
    return { code: status.code, reason: status.reason, message: status.message }
  }
}

describe.skipIf(missing !== undefined)(
  `the ServiceAccount plugin of a real kube-apiserver${missing === undefined ? '' : ` (${missing})`}`,
  { timeout: 240_000 },
  () => {
    let plane: RealControlPlane
    let bench: Bench
    beforeAll(async () => {
      plane = await startRealControlPlane({ hasAccounts: true })
      bench = await openBench({ admissionPlugins: ['ServiceAccount'] })
      for (const account of accounts) {
        await plane.client.create(serviceAccounts, 'default', account as unknown as ServiceAccount)
        await bench.create(serviceAccounts, account)
      }
    }, 240_000)
    afterAll(() => plane?.stop())

    it.each(cases)('answers like Rollcall: %s', async (_, object) => {
      const real = await outcome(plane.client.create(pods, 'default', object as Pod))
      const name = { namespace: 'default', name: 'p' }
      await plane.client.delete(pods, name, { gracePeriodSeconds: 0 }).catch(() => undefined)
      const simulated = await outcome(bench.create(podKind, object))
      await Promise.resolve(bench.rest.delete(podKind, 'default', 'p', { gracePeriodSeconds: 0 } as never)).catch(() => undefined)
      expect(simulated).toEqual(real)
    })
  },
)
