import { describe, expect, it } from 'vitest'
import { deployments, runtimeClasses } from '../../../api/kinds.ts'
import { type Bench, input, namespaceKind, openBench, options, pod, podKind, refusal } from '../../rest/testing/rest-bench.ts'
import { defaultPodSecurity } from './configuration.ts'

const enforce = 'pod-security.kubernetes.io/enforce'
const why =
  'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")'

const exempting = (exemptions: object, level = 'privileged') =>
  openBench({
    podSecurity: {
      defaults: { ...defaultPodSecurity.defaults, enforce: { level: level as 'restricted', minor: 36 } },
      exemptions: { ...defaultPodSecurity.exemptions, ...exemptions },
    },
  })

async function warningsOf(bench: Bench, change: object): Promise<readonly string[]> {
  const warnings: string[] = []
  await bench.rest.patch(namespaceKind, '', 'default', undefined, 'merge', input(change), { ...options, warn: (one) => warnings.push(one) })
  return warnings
}
const labelled = (level: string) => ({ metadata: { labels: { [enforce]: level } } })

describe('PodSecurity', () => {
  it('refuses a pod that violates what its namespace enforces', async () => {
    const bench = await openBench()
    await bench.create(namespaceKind, { metadata: { name: 'safe', labels: { [enforce]: 'restricted' } } })
    const { code, message } = await refusal(bench.create(podKind, pod('a'), 'safe'))
    expect([code, message]).toEqual([403, `pods "a" is forbidden: violates PodSecurity "restricted:latest": ${why}`])
  })

  it('warns about the template of a workload, and admits it', async () => {
    const bench = await openBench()
    await warningsOf(bench, labelled('restricted'))
    const { metadata, spec } = pod('a')
    const deployment = {
      metadata: { name: 'd' },
      spec: { selector: { matchLabels: metadata.labels }, template: { metadata: { labels: metadata.labels }, spec } },
    }
    const warnings: string[] = []
    const body = input({ apiVersion: 'apps/v1', kind: 'Deployment', ...deployment })
    await bench.rest.create(deployments, 'default', body, { ...options, warn: (one) => warnings.push(one) })
    expect(warnings).toEqual([`would violate PodSecurity "restricted:latest": ${why}`])
  })

  it('refuses labels that it does not know', async () => {
    const bench = await openBench()
    const { code, message } = await refusal(bench.create(namespaceKind, { metadata: { name: 'a', labels: { [enforce]: 'strict' } } }))
    expect([code, message]).toEqual([
      422,
      `Namespace "a" is invalid: metadata.labels[${enforce}]: Invalid value: "strict": must be one of privileged, baseline, restricted`,
    ])
  })

  it('names the pods of a namespace that violate what it enforces now', async () => {
    const bench = await openBench()
    for (const name of ['b', 'a', 'c']) await bench.create(podKind, pod(name))
    await bench.create(podKind, pod('d', { hostNetwork: true }))
    const reasons = 'allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, seccompProfile'
    expect(await warningsOf(bench, labelled('restricted'))).toEqual([
      'existing pods in namespace "default" violate the new PodSecurity enforce level "restricted:latest"',
      `a (and 2 other pods): ${reasons}`,
      `d: host namespaces, ${reasons}`,
    ])
    expect(await warningsOf(bench, labelled('baseline'))).toEqual([])
  })

  it('checks the first 3,000 pods of a namespace, and says so', async () => {
    const bench = await openBench()
    for (let i = 0; i < 3001; i++) await bench.create(podKind, pod(`p-${i}`))
    expect(await warningsOf(bench, labelled('restricted'))).toEqual([
      'new PodSecurity enforce level only checked against the first 3000 of 3001 existing pods',
      'existing pods in namespace "default" violate the new PodSecurity enforce level "restricted:latest"',
      expect.stringMatching(/^p-0 \(and 2999 other pods\): /),
    ])
  })

  it.each([
    ['a user', { usernames: ['tester'] }],
    ['a namespace', { namespaces: ['default'] }],
    ['a runtime class', { runtimeClasses: ['sandbox'] }],
  ])('exempts %s', async (_, exemptions) => {
    const bench = await exempting(exemptions, 'restricted')
    const exempt = await exemptedPod(bench)
    expect(exempt).toBe(true)
    expect(await exemptedPod(await exempting({}, 'restricted'))).toBe(false)
  })

  it('says that the labels of an exempt namespace have no effect', async () => {
    const bench = await exempting({ namespaces: ['default'] })
    expect(await warningsOf(bench, labelled('restricted'))).toEqual([
      'namespace "default" is exempt from Pod Security, and the policy (enforce=restricted:v1.36) will be ignored',
    ])
  })
})

/** Whether a pod is admitted that restricted does not allow. */
async function exemptedPod(bench: Bench): Promise<boolean> {
  await bench.create(runtimeClasses, { metadata: { name: 'sandbox' }, handler: 'sandbox' })
  return bench.create(podKind, pod('a', { runtimeClassName: 'sandbox' })).then(
    () => true,
    () => false,
  )
}
