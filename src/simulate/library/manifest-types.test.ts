// What compiles is the test: `npm run check` fails on an unused @ts-expect-error.
import { it } from 'vitest'
import type { ObjectCalls } from './cluster-api.ts'

const spec = { replicas: 1 }
const widened = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } }

async function compiles({ apply }: ObjectCalls, text: string, parsed: object, unknownObjects: readonly object[]) {
  await apply(text)
  await apply(parsed)
  await apply(unknownObjects)
  await apply(widened)
  await apply([widened, { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } }])
  await apply({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec })
  await apply({ apiVersion: 'example.com/v1', kind: 'CronTab', metadata: { name: 'nightly' } })
  await apply({ apiVersion: 'gateway.networking.k8s.io/v1', kind: 'Gateway', metadata: { name: 'web' } })
  // @ts-expect-error: a misspelt kind
  await apply({ apiVersion: 'apps/v1', kind: 'Deploymnet', metadata: { name: 'web' }, spec })
  // @ts-expect-error: a resource is not a kind
  await apply({ apiVersion: 'v1', kind: 'pods', metadata: { name: 'web' } })
  // @ts-expect-error: a misspelt kind among others
  await apply([widened, { apiVersion: 'v1', kind: 'Servce', metadata: { name: 'web' } }])
}

it('refuses a misspelt kind of a built-in group when it compiles', () => void compiles)
