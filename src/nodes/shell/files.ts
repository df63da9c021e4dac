// The simulated files of containers. The file system of the host is never read or written.

/** Contents by key. The prefix of a key names the owner of the file: a container, a volume of the pod, or the node. */
export type FileTree = ReadonlyMap<string, string>

export const noFiles: FileTree = new Map()

/** All files that a container can access. Immutable. */
export interface Files {
  /** Volumes of the pod, and files that its containers wrote outside of volumes. */
  readonly pod: FileTree
  /** hostPath volumes. */
  readonly host: FileTree
  /** Absent: the pod has no such volumes. */
  readonly provided?: ProvidedFiles | undefined
}

/** The files of volumes that the kubelet fills: from ConfigMaps, Secrets, the downward API and tokens. Containers cannot write them. */
export interface ProvidedFiles {
  read(key: string): ProvidedFile | undefined
  /** The keys of the files of the volume to which `key` belongs. */
  keysBeside(key: string): Iterable<string>
}

export interface ProvidedFile {
  readonly text: string
  readonly mode: number
  readonly user: number
  readonly group: number
}

/** A volume that is mounted in a container. */
export interface Mount {
  readonly path: string
  /** The prefix of the keys of its files. */
  readonly prefix: string
  /** The mode of its root directory. Absent: 0755. */
  readonly mode?: number
  /** The group of its files, where the pod sets one. */
  readonly group?: number | undefined
  readonly isInMemory?: boolean
}

/** The prefix of the keys of a volume that the kubelet fills. */
export const providedPrefix = (volume: string) => `provided:${volume}:`
export const isProvidedKey = (key: string) => key.startsWith('provided:')

const maxFiles = 1000
const maxCharacters = 64 * 1024
/** Larger files are written only while the total stays within its limit. */
const smallFile = 1024
const maxTotalCharacters = 1024 * 1024

const isHostKey = (key: string) => key.startsWith('host:')

export function readFile({ pod, host, provided }: Files, key: string): string | undefined {
  if (isProvidedKey(key)) return provided?.read(key)?.text
  return (isHostKey(key) ? host : pod).get(key)
}

function keysBeside({ pod, host, provided }: Files, key: string): Iterable<string> {
  if (isProvidedKey(key)) return provided?.keysBeside(key) ?? []
  return (isHostKey(key) ? host : pod).keys()
}

/** Returns the files with this one written. Writes beyond the limits are dropped or truncated, and so are writes to provided files. */
export function writeFile(files: Files, key: string, text: string): Files {
  if (isProvidedKey(key)) return files
  const [tree, name] = isHostKey(key) ? ([files.host, 'host'] as const) : ([files.pod, 'pod'] as const)
  if (!tree.has(key) && tree.size >= maxFiles) return files
  if (text.length > smallFile && sizeOf(tree) + text.length > maxTotalCharacters) return files
  return { ...files, [name]: new Map(tree).set(key, text.slice(-maxCharacters)) }
}

const modeKey = (key: string) => `mode:${key}`

/** The mode of a file that was written with one. */
export function modeOf({ pod }: Files, key: string): number | undefined {
  const text = pod.get(modeKey(key))
  return text === undefined ? undefined : Number.parseInt(text, 8)
}

export const setMode = (files: Files, key: string, mode: number): Files => writeFile(files, modeKey(key), mode.toString(8))

function sizeOf(tree: FileTree): number {
  let size = 0
  for (const text of tree.values()) size += text.length
  return size
}

export function removeFile(files: Files, key: string): Files {
  const [tree, name] = isHostKey(key) ? ([files.host, 'host'] as const) : ([files.pod, 'pod'] as const)
  if (!tree.has(key)) return files
  const next = new Map(tree)
  next.delete(key)
  next.delete(modeKey(key))
  return { ...files, [name]: next }
}

/** Whether the directory contains any file. */
export function isDirectory(files: Files, key: string): boolean {
  const prefix = key.endsWith('/') ? key : `${key}/`
  for (const one of keysBeside(files, key)) if (one.startsWith(prefix)) return true
  return false
}

export function namesIn(files: Files, key: string): string[] {
  const prefix = key.endsWith('/') ? key : `${key}/`
  const names = new Set<string>()
  for (const one of keysBeside(files, key)) if (one.startsWith(prefix)) names.add(one.slice(prefix.length).split('/')[0]!)
  return [...names].sort()
}

/** The innermost mount that contains the path. */
export function mountOf(path: string, mounts: readonly Mount[]): Mount | undefined {
  let best: Mount | undefined
  for (const mount of mounts) {
    const isInside = path === mount.path || path.startsWith(mount.path.endsWith('/') ? mount.path : `${mount.path}/`)
    if (isInside && (best === undefined || mount.path.length > best.path.length)) best = mount
  }
  return best
}

/** By the mount that contains the path, or else the container's own files, with the prefix `own`. */
export function keyOfPath(path: string, mounts: readonly Mount[], own: string): string {
  const mount = mountOf(path, mounts)
  return mount === undefined ? `${own}${path}` : `${mount.prefix}${path.slice(mount.path.length)}`
}

/** `a/../b` relative to `/x` is `/x/b`. */
export function absolutePath(path: string, directory: string): string {
  const parts: string[] = []
  for (const part of (path.startsWith('/') ? path : `${directory}/${path}`).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}
