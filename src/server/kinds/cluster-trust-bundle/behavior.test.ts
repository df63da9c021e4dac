import { describe, expect, it } from 'vitest'
import { authority } from '../../../api/kinds/certificates/cluster-trust-bundle/testing/certificates.ts'
import { clusterRoleBindings, clusterRoles, clusterTrustBundles } from '../../../api/kinds.ts'
import { input, openBench, options, refusal } from '../../rest/testing/rest-bench.ts'

const kind = clusterTrustBundles
const tenant = { ...options, caller: { ...options.caller, name: 'tenant', groups: ['system:authenticated'] } }
const bundle = (name: string, signerName: string, metadata: object = {}) =>
  input({ metadata: { name, ...metadata }, spec: { signerName, trustBundle: authority } })
const forbidden = {
  code: 403,
  message: 'clustertrustbundles.certificates.k8s.io "a.b:c:x" is forbidden: user not permitted to attest for signerName "a.b/c"',
}

async function openAsTenant(...signers: readonly string[]) {
  const bench = await openBench()
  if (signers.length > 0) {
    await bench.create(clusterRoles, {
      metadata: { name: 'attester' },
      rules: [{ apiGroups: ['certificates.k8s.io'], resources: ['signers'], resourceNames: signers, verbs: ['attest'] }],
    })
    await bench.create(clusterRoleBindings, {
      metadata: { name: 'attester' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'attester' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'tenant' }],
    })
  }
  return bench.rest
}

describe('a trust bundle', () => {
  it.each([['a.b/c'], ['a.b/*']])('may be created with the permission to attest for %s', async (signer) => {
    const rest = await openAsTenant(signer)
    const { response } = await rest.create(kind, '', bundle('a.b:c:x', 'a.b/c'), tenant)
    expect(response.object.metadata?.name).toBe('a.b:c:x')
  })

  it('is refused to others, unless it names no signer', async () => {
    const rest = await openAsTenant('a.b/other')
    expect(await refusal(rest.create(kind, '', bundle('a.b:c:x', 'a.b/c'), tenant))).toMatchObject(forbidden)
    await rest.create(kind, '', bundle('x', ''), tenant)
  })

  it('is changed by others only as the garbage collector changes it', async () => {
    const rest = await openAsTenant()
    await rest.create(kind, '', bundle('a.b:c:x', 'a.b/c'), options)
    const put = (metadata: object) =>
      rest.update(
        kind,
        '',
        'a.b:c:x',
        undefined,
        bundle('a.b:c:x', 'a.b/c', { resourceVersion: rest.get(kind, '', 'a.b:c:x').object.metadata?.resourceVersion, ...metadata }),
        tenant,
      )
    expect(await refusal(put({ labels: { a: 'b' } }))).toMatchObject(forbidden)
    await put({ finalizers: ['example.com/f'] })
  })
})
