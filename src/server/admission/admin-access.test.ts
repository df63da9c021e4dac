// The message is that of kube-apiserver v1.36.4.
import { expect, it } from 'vitest'
import { resourceClaims } from '../../api/kinds.ts'
import { namespaceKind, openBench, refusal } from '../rest/testing/rest-bench.ts'

it('access to devices for administration needs a label of the namespace', async () => {
  const { create } = await openBench()
  await create(namespaceKind, { metadata: { name: 'admin', labels: { 'resource.kubernetes.io/admin-access': 'true' } } })
  const requests = [{ name: 'r', exactly: { deviceClassName: 'c', adminAccess: true } }]
  const claim = { metadata: { name: 'c' }, spec: { devices: { requests } } }
  await create(resourceClaims, claim, 'admin')
  const { code, message } = await refusal(create(resourceClaims, claim))
  expect([code, message]).toEqual([
    422,
    'ResourceClaim.resource.k8s.io "c" is invalid: spec.devices.requests[0].adminAccess: Forbidden: admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the containing namespace',
  ])
})
