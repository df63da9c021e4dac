// Image names: parsing, image ids and pull errors.
// Kubernetes: pkg/util/parsers.ParseImageName
// Kubernetes: pkg/kubelet/images.applyDefaultImageTag, evalCRIPullErr
import { cached } from '../../base/cached.ts'
import { digestOf } from './seeded-hash.ts'

export interface ImageRules {
  /** Images that cannot be pulled: a full name (`shop/web:2`), a name without tag for all its tags, or a pattern with `*`. */
  readonly missing?: readonly string[]
}

interface ImageName {
  readonly host: string
  /** Without its port. */
  readonly bareHost: string
  readonly repository: string
  /** Empty if the name has a digest. */
  readonly tag: string
  readonly digest: string
  /** With host and tag, as in container statuses. */
  readonly full: string
}

const shape =
  /^(?:([a-zA-Z0-9.-]+(?::[0-9]+)?)\/)?([a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*)(?::([\w][\w.-]{0,127}))?(?:@(sha256:[a-f0-9]{64}))?$/

/** A repository has up to 255 characters, a tag up to 128, a digest 71. */
const maxNameLength = 512

/** Undefined: not a valid image name. */
export function parseImageName(image: string): ImageName | undefined {
  if (image.length > maxNameLength) return undefined
  return readName(image)
}

const maxCachedNames = 10_000

const readName = cached(maxCachedNames, (image: string): ImageName | undefined => {
  const slash = image.indexOf('/')
  const first = slash < 0 ? '' : image.slice(0, slash)
  const hasHost = first.includes('.') || first.includes(':') || first === 'localhost'
  const match = shape.exec(hasHost ? image : `docker.io/${slash < 0 ? 'library/' : ''}${image}`)
  if (match === null) return undefined
  const [, host = '', repository = '', givenTag, digest = ''] = match
  const tag = givenTag ?? (digest === '' ? 'latest' : '')
  const full = `${host}/${repository}${tag === '' ? '' : `:${tag}`}${digest === '' ? '' : `@${digest}`}`
  return { host, bareHost: host.replace(/:[0-9]+$/, ''), repository, tag, digest, full }
})

/** The reference by digest, as container runtimes report it. */
export function imageIdOf(image: string): string {
  return image.length > maxNameLength ? image : readImageId(image)
}

const readImageId = cached(maxCachedNames, (image: string) => {
  const name = parseImageName(image)
  return name === undefined ? image : `${name.host}/${name.repository}@${name.digest || `sha256:${digestOf(name.full)}`}`
})

/** Tags that are commonly used in manifests for images that do not exist. */
const missingTags = /^(?:missing|non-?exist(?:ent|ing)|does-?not-?exist|no-such-(?:tag|image)|not-?found|404)$/

/** Whether the pieces occur in this order. Each piece is matched as early as possible. */
function matchesWildcards(text: string, pieces: readonly string[]): boolean {
  const last = pieces.at(-1)!
  if (!text.startsWith(pieces[0]!) || !text.endsWith(last)) return false
  let at = pieces[0]!.length
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return at <= text.length - last.length
}

/** The error of the registry. Undefined: the image can be pulled. */
export function pullError(image: string, { missing = [] }: ImageRules = {}): string | undefined {
  const name = parseImageName(image)
  if (name === undefined) return undefined
  const { host, bareHost, repository, tag, full } = name
  if (bareHost.endsWith('.invalid') || bareHost.startsWith('invalid.'))
    return `failed to pull and unpack image "${full}": failed to resolve reference "${full}": failed to do request: Head "https://${host}/v2/${repository}/manifests/${tag}": dial tcp: lookup ${bareHost}: no such host`
  const isMissing =
    missingTags.test(tag) ||
    missing.some((one) => {
      const isMeant = (text: string) => (one.includes('*') ? matchesWildcards(text, one.split('*')) : text === one)
      return isMeant(image) || isMeant(full) || isMeant(`${host}/${repository}`) || isMeant(image.replace(/[:@][^/]*$/, ''))
    })
  if (!isMissing) return undefined
  return `rpc error: code = NotFound desc = failed to pull and unpack image "${full}": failed to resolve reference "${full}": ${full}: not found`
}
