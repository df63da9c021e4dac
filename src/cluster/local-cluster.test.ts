import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { namespaces } from '../api/kinds.ts'
import { defaultFeatureGates } from '../api/machinery/feature-gates.ts'
import { startLocalCluster } from './local-cluster.ts'

it('does not start a watch at a revision from before its first request', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-new-'))
  const cluster = await startLocalCluster({
    ...{ dataDir: folder, kubeconfig: join(folder, 'kubeconfig'), inMemory: true, host: '127.0.0.1', port: 0 },
    ...{ gates: defaultFeatureGates, version: '0.0.0', nodes: [], log: () => {} },
  })
  const outcome = await new Promise<string>((resolve) => {
    const onEvents = (events: readonly { readonly type: string }[]) => resolve(events.map(({ type }) => type).join())
    cluster.client.watch(namespaces, { resourceVersion: '1' }, { onEvents, onEnd: (error) => resolve(error?.message ?? '') })
  })
  expect(outcome).toMatch(/^too old resource version: 1 \(\d+\)$/)
  await cluster.stop()
  rmSync(folder, { recursive: true, force: true })
})
