import { expect, it } from 'vitest'
import { kinds as builtIn, flowSchemas, priorityLevelConfigurations } from '../api/kinds.ts'
import { KindSet } from '../api/machinery/kind-set.ts'
import { createRest } from '../server/rest/create-rest.ts'
import { openMemoryStore } from '../store/memory-store.ts'
import { applyFlowControl } from './flow-control.ts'
import { createInProcessClient } from './in-process-client.ts'

it("creates Kubernetes' objects of priority and fairness once, and leaves changed ones as they are", async () => {
  const kinds = new KindSet(builtIn)
  const client = createInProcessClient({ rest: createRest({ store: openMemoryStore(), kinds }), kinds, name: 'test' })
  await applyFlowControl(client)
  const levels = (await client.list(priorityLevelConfigurations)).items
  expect(levels.map(({ metadata, spec }) => `${metadata.name} ${spec?.type}`)).toEqual([
    'catch-all Limited',
    'exempt Exempt',
    'global-default Limited',
    'leader-election Limited',
    'node-high Limited',
    'system Limited',
    'workload-high Limited',
    'workload-low Limited',
  ])
  const schemas = (await client.list(flowSchemas)).items
  expect(schemas).toHaveLength(11)
  for (const { spec, status } of schemas) {
    expect(levels.map(({ metadata }) => metadata.name)).toContain(spec?.priorityLevelConfiguration?.name)
    expect(status?.conditions).toMatchObject([{ type: 'Dangling', status: 'False', reason: 'Found' }])
  }
  const probes = schemas.find(({ metadata }) => metadata.name === 'probes')!
  await client.update(flowSchemas, { ...probes, spec: { ...probes.spec!, matchingPrecedence: 7 } })
  await applyFlowControl(client)
  expect((await client.get(flowSchemas, { name: 'probes' })).spec?.matchingPrecedence).toBe(7)
})
