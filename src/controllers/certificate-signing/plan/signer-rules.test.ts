// The messages are those of kube-controller-manager v1.36.4.
import { describe, expect, it } from 'vitest'
import { parseSigningRequest } from '../../../api/kinds/certificates/certificate-signing-request/signing-request.ts'
import { signingRequests } from '../../../api/testing/signing-requests.ts'
import { signerRules } from './signer-rules.ts'

const client = ['client auth']
const kubelet = ['client auth', 'digital signature']
const serving = ['server auth', 'digital signature']
const notNodes = 'subject organization is not system:nodes'
const notNode = 'subject common name does not begin with system:node:'
const kubeletUsages = 'usages did not match [client auth digital signature key encipherment]'
const servingUsages = 'usages did not match [digital signature key encipherment server auth]'
type Row = readonly [name: string, signer: string, request: keyof typeof signingRequests, usages: readonly string[], refusal?: string]

const rows: readonly Row[] = [
  ['a client', 'kube-apiserver-client', 'alice', client],
  ['a client with all usages', 'kube-apiserver-client', 'alice', [...kubelet, 'key encipherment']],
  ['a client that serves', 'kube-apiserver-client', 'alice', serving, 'invalid usage for client certificate: server auth'],
  [
    'a client without its usage',
    'kube-apiserver-client',
    'alice',
    ['digital signature'],
    'missing required usage for client certificate: client auth',
  ],
  ['a kubelet', 'kube-apiserver-client-kubelet', 'node', kubelet],
  ['a kubelet with an RSA key', 'kube-apiserver-client-kubelet', 'node', [...kubelet, 'key encipherment']],
  ['a kubelet of system:masters', 'kube-apiserver-client-kubelet', 'master', kubelet, notNodes],
  ['a kubelet of system:masters too', 'kube-apiserver-client-kubelet', 'twoGroups', kubelet, notNodes],
  ['a kubelet that is no node', 'kube-apiserver-client-kubelet', 'person', kubelet, notNode],
  ['a kubelet with too few usages', 'kube-apiserver-client-kubelet', 'node', client, kubeletUsages],
  ['a kubelet that serves', 'kube-apiserver-client-kubelet', 'node', [...kubelet, 'server auth'], kubeletUsages],
  ['a kubelet with a DNS name', 'kube-apiserver-client-kubelet', 'nodeWithDns', kubelet, 'DNS subjectAltNames are not allowed'],
  ['a kubelet with an address', 'kube-apiserver-client-kubelet', 'nodeWithIp', kubelet, 'IP subjectAltNames are not allowed'],
  ['a kubelet with an email', 'kube-apiserver-client-kubelet', 'onlyEmail', kubelet, 'Email subjectAltNames are not allowed'],
  ['a kubelet with a URI', 'kube-apiserver-client-kubelet', 'onlyUri', kubelet, 'URI subjectAltNames are not allowed'],
  ['a server with a DNS name', 'kubelet-serving', 'nodeWithDns', serving],
  ['a server with an address', 'kubelet-serving', 'nodeWithIp', serving],
  ['a server without a name', 'kubelet-serving', 'node', serving, 'DNS or IP subjectAltName is required'],
  ['a server of another group', 'kubelet-serving', 'alice', serving, notNodes],
  ['a server that is no node', 'kubelet-serving', 'personServing', serving, notNode],
  ['a server with an email', 'kubelet-serving', 'nodeWithEmail', serving, 'Email subjectAltNames are not allowed'],
  ['a server with a URI', 'kubelet-serving', 'nodeWithUri', serving, 'URI subjectAltNames are not allowed'],
  ['a server that is a client', 'kubelet-serving', 'nodeWithDns', kubelet, servingUsages],
  ['anything of old', 'legacy-unknown', 'alice', ['code signing']],
]

describe('the signers', () => {
  it.each(rows.map((row) => [row[0], row] as const))('judge %s', (_, [, signer, name, usages, refusal]) => {
    expect(signerRules[`kubernetes.io/${signer}`]!({ request: parseSigningRequest(signingRequests[name]), usages })).toBe(refusal)
  })
})
