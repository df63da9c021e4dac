// Continue tokens of paged lists: the revision and the first key of the next page, in the format of Kubernetes.
// Kubernetes: k8s.io/apiserver/pkg/storage.EncodeContinue, DecodeContinue, PrepareContinueToken
import { badRequestError } from '../../api/machinery/status-error.ts'

interface ContinuePoint {
  /** -1 means the newest state. */
  readonly revision: number
  /** The first possible key of the page. */
  readonly startKey: string
}

const version = 'meta.k8s.io/v1'

export function encodeContinue(startKey: string, prefix: string, revision: number): string {
  return Buffer.from(JSON.stringify({ v: version, rv: revision, start: startKey.slice(prefix.length) })).toString('base64url')
}

const refuse = (why: string) => badRequestError(`invalid continue token: ${why}`)
const invalid = 'continue key is not valid'

/** Throws a StatusError (400) for an invalid token. */
export function decodeContinue(token: string, prefix: string): ContinuePoint {
  const bad = token.search(/[^A-Za-z0-9_-]/)
  if (bad >= 0) throw refuse(`${invalid}: illegal base64 data at input byte ${bad}`)
  if (token.length % 4 === 1) throw refuse(`${invalid}: illegal base64 data at input byte ${token.length - 1}`)
  let content: { v?: unknown; rv?: unknown; start?: unknown }
  try {
    const parsed: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'))
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new SyntaxError('no object')
    content = parsed
  } catch {
    throw refuse(`${invalid}: invalid character in the decoded token`)
  }
  const { v = '', rv = 0, start = '' } = content
  if (v !== version) throw refuse(`${invalid}: server does not recognize this encoded version ${v}`)
  if (typeof rv !== 'number' || !Number.isSafeInteger(rv) || typeof start !== 'string') throw refuse(invalid)
  if (rv === 0) throw refuse(`${invalid}: incorrect encoded start resourceVersion (version meta.k8s.io/v1)`)
  if (start === '') throw refuse(`${invalid}: encoded start key empty (version meta.k8s.io/v1)`)
  if (isTraversal(start)) throw refuse(`${invalid}: ${start}`)
  return { revision: rv, startKey: prefix + (start.startsWith('/') ? start.slice(1) : start) }
}

/** A path that is not normalized could lead out of the prefix. */
function isTraversal(start: string): boolean {
  const key = start.startsWith('/') ? start.slice(1) : start
  return key.split('/').some((part, index, parts) => part === '.' || part === '..' || (part === '' && (parts.length > 1 || index > 0)))
}
