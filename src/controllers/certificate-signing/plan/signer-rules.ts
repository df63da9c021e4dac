// What Kubernetes' own signers demand of a request.
import type { SigningRequest } from '../../../api/kinds/certificates/certificate-signing-request/signing-request.ts'

interface JudgedRequest {
  readonly request: SigningRequest
  readonly usages: readonly string[]
}

/** The reason why the signer refuses the request, or undefined. */
type SignerRule = (judged: JudgedRequest) => string | undefined

const nodesGroup = 'system:nodes'
const nodePrefix = 'system:node:'

// Kubernetes: pkg/controller/certificates/signer.getCSRVerificationFuncForSignerName
/** By the name of the signer. */
export const signerRules: Readonly<Record<string, SignerRule>> = {
  'kubernetes.io/kube-apiserver-client': refuseClient,
  'kubernetes.io/kube-apiserver-client-kubelet': refuseKubeletClient,
  'kubernetes.io/kubelet-serving': refuseKubeletServing,
  'kubernetes.io/legacy-unknown': () => undefined,
}

// Kubernetes: pkg/controller/certificates/signer.validAPIServerClientUsages
function refuseClient({ usages }: JudgedRequest): string | undefined {
  const other = usages.find((usage) => !['digital signature', 'key encipherment', 'client auth'].includes(usage))
  if (other !== undefined) return `invalid usage for client certificate: ${other}`
  return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth'
}

// Kubernetes: pkg/apis/certificates.ValidateKubeletClientCSR
function refuseKubeletClient({ request, usages }: JudgedRequest): string | undefined {
  const { dns, email, ip, uri } = request.alternativeNames
  if (!isOfNodes(request)) return `subject organization is not ${nodesGroup}`
  if (dns.length > 0) return 'DNS subjectAltNames are not allowed'
  if (email.length > 0) return 'Email subjectAltNames are not allowed'
  if (ip.length > 0) return 'IP subjectAltNames are not allowed'
  if (uri.length > 0) return 'URI subjectAltNames are not allowed'
  return refuseName(request) ?? refuseUsages(usages, 'client auth')
}

// Kubernetes: pkg/apis/certificates.ValidateKubeletServingCSR
function refuseKubeletServing({ request, usages }: JudgedRequest): string | undefined {
  const { dns, email, ip, uri } = request.alternativeNames
  if (!isOfNodes(request)) return `subject organization is not ${nodesGroup}`
  if (dns.length === 0 && ip.length === 0) return 'DNS or IP subjectAltName is required'
  if (email.length > 0) return 'Email subjectAltNames are not allowed'
  if (uri.length > 0) return 'URI subjectAltNames are not allowed'
  return refuseUsages(usages, 'server auth') ?? refuseName(request)
}

const isOfNodes = ({ organizations }: SigningRequest) => organizations.length === 1 && organizations[0] === nodesGroup

const refuseName = ({ commonName }: SigningRequest) =>
  commonName.startsWith(nodePrefix) ? undefined : `subject common name does not begin with ${nodePrefix}`

/** `key encipherment` is for RSA keys, and optional. */
function refuseUsages(usages: readonly string[], purpose: string): string | undefined {
  const required = new Set([purpose, 'digital signature'])
  const isMissing = [...required].some((usage) => !usages.includes(usage))
  const hasOthers = usages.some((usage) => !required.has(usage) && usage !== 'key encipherment')
  return isMissing || hasOthers ? `usages did not match [${[...required, 'key encipherment'].sort().join(' ')}]` : undefined
}
