import { describe, expect, it } from 'vitest'
import { endpoints, mutatingWebhookConfigurations, services, validatingWebhookConfigurations } from '../../api/kinds.ts'
import { configMap, configMapKind, input, openBench, options, refusal } from './testing/rest-bench.ts'

const webhook = {
  name: 'hook.example.org',
  clientConfig: { service: { namespace: 'default', name: 'hook' } },
  rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
  failurePolicy: 'Fail',
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
}

/** A webhook that fails closed, behind a service; `service` and `subsets` say where it leads. */
async function createConfigMap(ignoresSimulatedWebhooks: boolean, service: object, subsets: readonly object[] = []) {
  const { rest, create } = await openBench({ ignoresSimulatedWebhooks })
  await create(services, { metadata: { name: 'hook' }, spec: { ports: [{ port: 443 }], ...service } })
  await create(endpoints, { metadata: { name: 'hook' }, subsets })
  for (const kind of [mutatingWebhookConfigurations, validatingWebhookConfigurations])
    await create(kind, { metadata: { name: 'hook' }, webhooks: [webhook] })
  const warnings: string[] = []
  const body = input({ apiVersion: 'v1', kind: 'ConfigMap', ...configMap('a') })
  await rest.create(configMapKind, 'default', body, { ...options, warn: (one) => warnings.push(one) })
  return warnings
}

const inPods = { selector: { app: 'hook' } }
const simulated = [{ addresses: [{ ip: '10.244.0.1', targetRef: { kind: 'Pod', name: 'hook-1' } }], ports: [{ port: 9443 }] }]

describe('a webhook in a simulated pod that fails closed', () => {
  it.each([
    ['whose pod runs', simulated],
    ['whose pod does not run yet', []],
  ])('%s is ignored with a warning where that is asked for', async (_, subsets) => {
    const warning = 'admission webhook "hook.example.org" was not called: its server would run in a simulated pod'
    expect(await createConfigMap(true, inPods, subsets)).toEqual([warning, warning])
  })

  it('refuses writes otherwise', async () => {
    const { code, message } = await refusal(createConfigMap(false, inPods, simulated))
    expect(code).toBe(500)
    expect(message).toContain('connection refused (no server runs in a simulated pod)')
  })

  it('refuses writes where it would run elsewhere', async () => {
    expect(await refusal(createConfigMap(true, {}))).toMatchObject({ code: 500 })
  })
})
