// The certificates of a trust bundle: which ones are refused, and what a pod sees of several bundles.
// Kubernetes: pkg/apis/certificates/validation.validateTrustBundle
// Kubernetes: pkg/kubelet/clustertrustbundle.InformerManager.normalizeTrustAnchors
import { type Element, hexOf, readElements, readSequence } from '../../../machinery/der.ts'
import { formatPemBlock, type PemBlock, readPemBlocks } from '../../../machinery/pem.ts'

const certificate = 'CERTIFICATE'
const basicConstraints = '551d13'
const tags = { extensions: 0xa3, boolean: 0x01, octets: 0x04 }

/** Why the bundle is refused. */
export function trustBundleProblems(bundle: string): readonly string[] {
  const blocks = readPemBlocks(bundle)
  const problems = blocks.flatMap((block, index) => {
    const problem = blockProblem(block)
    return problem === undefined ? [] : [`entry ${index} ${problem}`]
  })
  if (problems.length > 0) return problems
  if (blocks.length === 0) return ['at least one trust anchor must be provided']
  const indices = new Map<string, number[]>()
  for (const [index, { bytes }] of blocks.entries()) {
    const key = hexOf(bytes)
    indices.set(key, [...(indices.get(key) ?? []), index])
  }
  return [...indices.values()].filter(({ length }) => length > 1).map((same) => `duplicate trust anchor (indices [${same.join(' ')}])`)
}

function blockProblem({ type, hasHeaders, bytes }: PemBlock): string | undefined {
  if (type !== certificate) return `has bad block type: ${type}`
  if (hasHeaders) return 'has PEM block headers'
  try {
    return isAuthority(bytes) ? undefined : 'does not have the CA bit set'
  } catch {
    return 'does not parse as X.509'
  }
}

/** Throws an Error for bytes that are no certificate. */
function isAuthority(bytes: Uint8Array): boolean {
  const [signed, , signature] = readSequence(bytes)
  if (signed === undefined || signature === undefined) throw new Error('the certificate is incomplete')
  const fields = readElements(signed.content)
  // From the serial number to the public key.
  if (fields.length < 6) throw new Error('the certificate is incomplete')
  const extensions = fields.find(({ tag }) => tag === tags.extensions)
  const constraints = (extensions === undefined ? [] : readSequence(extensions.content)).find(
    (extension) => hexOf(readElements(extension.content)[0]?.content) === basicConstraints,
  )
  return constraints !== undefined && namesAuthority(constraints)
}

function namesAuthority(extension: Element): boolean {
  const value = readElements(extension.content).find(({ tag }) => tag === tags.octets)
  if (value === undefined) throw new Error('the extension has no value')
  const [first] = readSequence(value.content)
  return first?.tag === tags.boolean && first.content[0] !== 0
}

/** Each trust anchor once. The order means nothing: here it is that of their bytes, so that a run is repeatable. */
export function normalizeTrustAnchors(bundles: readonly string[]): string {
  const blocks = bundles.flatMap(readPemBlocks)
  const byBytes = new Map(blocks.map(({ bytes }) => [hexOf(bytes), bytes]))
  return [...byBytes.keys()]
    .sort()
    .map((key) => formatPemBlock(certificate, byBytes.get(key)!))
    .join('')
}
