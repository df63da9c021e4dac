// A field that is only in the table of the proposals works everywhere; nothing else names it.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const proposals = '../../api/machinery/schema/proposals.ts'
const load = async () => ({
  ...(await import('../../api/kinds.ts')),
  ...(await import('../../api/machinery/decode/protobuf.ts')),
  ...(await import('../openapi/openapi.ts')),
  ...(await import('./testing/rest-bench.ts')),
})
let server: Awaited<ReturnType<typeof load>>

// The table is read when a type is first used: the server is loaded anew, with a table of two more fields.
beforeAll(async () => {
  vi.resetModules()
  vi.doMock(proposals, async (original) => {
    const { proposedFields } = (await original()) as { readonly proposedFields: object }
    const fields = `nap *string enum=Long|Short #90
beds []core.ContainerPort patch=merge mergeKey=containerPort list=map keys=containerPort+protocol #91`
    return { proposedFields: { ...proposedFields, 'policy.PodDisruptionBudgetSpec': fields } }
  })
  server = await load()
})
afterAll(() => {
  vi.doUnmock(proposals)
  vi.resetModules()
})

const beds = [{ containerPort: 1, name: 'old' }]
const budget = (spec: object) => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'a' },
  spec: { selector: { matchLabels: { a: 'b' } }, ...spec },
})
const specOf = (object: unknown) => (object as { spec: object }).spec

async function openOne() {
  const { input, openBench, options, podDisruptionBudgets } = server
  const bench = await openBench()
  await bench.rest.create(podDisruptionBudgets, 'default', input(budget({ nap: 'Long', beds })), options)
  return bench
}

describe('a field of the overlay', () => {
  it('is decoded and stored', async () => {
    const bench = await openOne()
    expect(specOf(bench.rest.get(server.podDisruptionBudgets, 'default', 'a').object)).toMatchObject({ nap: 'Long', beds })
  })

  it('is checked for its type', async () => {
    const { input, options, podDisruptionBudgets, refusal } = server
    const bench = await openOne()
    const { message } = await refusal(bench.rest.create(podDisruptionBudgets, 'default', input(budget({ nap: 1 })), options))
    expect(message).toContain('json: cannot unmarshal number into Go struct field PodDisruptionBudgetSpec.spec.nap of type string')
  })

  it('is merged by a strategic merge patch', async () => {
    const { input, options, podDisruptionBudgets } = server
    const bench = await openOne()
    const patch = { spec: { nap: null, beds: [{ containerPort: 2 }] } }
    const { response } = await bench.rest.patch(podDisruptionBudgets, 'default', 'a', undefined, 'strategic', input(patch), options)
    expect(specOf(response.object)).not.toHaveProperty('nap')
    expect(specOf(response.object)).toMatchObject({ beds: [{ containerPort: 2 }, { containerPort: 1 }] })
  })

  it('is merged and owned by its keys, and their defaults, in server-side apply', async () => {
    const { input, options, podDisruptionBudgets } = server
    const bench = await openOne()
    const applied = budget({ beds: [{ containerPort: 2 }] })
    const { response } = await bench.rest.patch(podDisruptionBudgets, 'default', 'a', undefined, 'apply', input(applied), {
      ...options,
      manager: 'other',
    })
    expect(specOf(response.object)).toMatchObject({ beds: [{ containerPort: 1 }, { containerPort: 2 }] })
    expect(JSON.stringify(response.object.metadata?.managedFields)).toContain('k:{\\"containerPort\\":2,\\"protocol\\":\\"TCP\\"}')
  })

  it('is in the OpenAPI document', () => {
    const document = server
      .createOpenApi([server.podDisruptionBudgets], () => ({}))
      .find('/openapi/v3/apis/policy/v1')!
      .json().json
    const { components } = JSON.parse(document) as { components: { schemas: Record<string, { properties: Record<string, unknown> }> } }
    const { nap, beds: shown } = components.schemas['io.k8s.api.policy.v1.PodDisruptionBudgetSpec']!.properties
    expect(nap).toMatchObject({ type: 'string', enum: ['Long', 'Short'] })
    expect(shown).toMatchObject({ type: 'array', 'x-kubernetes-list-map-keys': ['containerPort', 'protocol'] })
  })

  it('is read from protobuf', () => {
    // The envelope, then a budget whose field 2, the spec, has field 90.
    const spec = [0xd2, 0x05, 4, ...Buffer.from('Long')]
    const raw = [0x12, spec.length, ...spec]
    const typeMeta = [0x0a, 9, ...Buffer.from('policy/v1'), 0x12, 19, ...Buffer.from('PodDisruptionBudget')]
    const bytes = Uint8Array.from([0x6b, 0x38, 0x73, 0, 0x0a, typeMeta.length, ...typeMeta, 0x12, raw.length, ...raw])
    const { decodeProtobuf, readEnvelope } = server
    expect(decodeProtobuf('policy.PodDisruptionBudget', readEnvelope(bytes))).toMatchObject({ spec: { nap: 'Long' } })
  })
})
