import { describe, expect, it } from 'vitest'
import { certificateSigningRequests } from '../../api/kinds.ts'
import { signingRequests } from '../../api/testing/signing-requests.ts'
import { openBench, refusal } from '../rest/testing/rest-bench.ts'

async function create(request: string, signer: string) {
  const bench = await openBench()
  const spec = { request: btoa(request), signerName: `kubernetes.io/${signer}`, usages: ['client auth'] }
  return bench.create(certificateSigningRequests, { metadata: { name: 'a' }, spec })
}

describe('a request for a client certificate', () => {
  it('of system:masters is refused', async () => {
    expect(await refusal(create(signingRequests.master, 'kube-apiserver-client'))).toMatchObject({
      code: 403,
      message: expect.stringContaining('use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed'),
    })
  })

  it('of another group is accepted', async () => {
    await create(signingRequests.alice, 'kube-apiserver-client')
  })

  it('of system:masters for another signer is left to that signer', async () => {
    await create(signingRequests.master, 'kube-apiserver-client-kubelet')
  })
})
