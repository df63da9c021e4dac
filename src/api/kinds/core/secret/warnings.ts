// Warnings about the certificates and keys of TLS secrets. Only the PEM form is checked, not what it encodes.
// Kubernetes: pkg/registry/core/secret.warningsForSecret
import type { Secret } from '../../../types.ts'

export function secretWarnings({ type, data = {} }: Secret): string[] {
  if (type !== 'kubernetes.io/tls') return []
  const problem = certificateProblem(blockTypes(data['tls.crt'])) ?? keyProblem(blockTypes(data['tls.key']))
  return problem === undefined ? [] : [`tls: ${problem}`]
}

/** The types of the PEM blocks, in order. */
function blockTypes(base64 = ''): string[] {
  const types: string[] = []
  let open: string | undefined
  for (const line of atob(base64).split('\n')) {
    const [, verb, type] = /^-----(BEGIN|END) (.*)-----\s*$/.exec(line) ?? []
    if (verb === 'END' && type === open && type !== undefined) types.push(type)
    if (verb === 'BEGIN') open = type
    else if (line.startsWith('-')) open = undefined
  }
  return types
}

const isKey = (type: string) => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY')
const skipped = (types: readonly string[]) => `after skipping PEM blocks of the following types: [${types.join(' ')}]`

function certificateProblem(types: readonly string[]): string | undefined {
  if (types.includes('CERTIFICATE')) return undefined
  if (types.length === 0) return 'failed to find any PEM data in certificate input'
  if (types.length === 1 && types[0]!.endsWith('PRIVATE KEY'))
    return 'failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched'
  return `failed to find "CERTIFICATE" PEM block in certificate input ${skipped(types)}`
}

function keyProblem(types: readonly string[]): string | undefined {
  if (types.some(isKey)) return undefined
  if (types.length === 0) return 'failed to find any PEM data in key input'
  if (types.length === 1 && types[0] === 'CERTIFICATE') return 'found a certificate rather than a key in the PEM for the private key'
  return `failed to find PEM block with type ending in "PRIVATE KEY" in key input ${skipped(types)}`
}
