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
}

/** A volume that is mounted in a container. */
export interface Mount {
  readonly path: string
  /** The prefix of the keys of its files. */
  readonly prefix: string
}

const maxFiles = 1000
const maxCharacters = 64 * 1024
/** Larger files are written only while the total stays within its limit. */
const smallFile = 1024
const maxTotalCharacters = 1024 * 1024

const isHostKey = (key: string) => key.startsWith('host:')

export function readFile({ pod, host }: Files, key: string): string | undefined {
  return (isHostKey(key) ? host : pod).get(key)
}

/** Returns the files with this one written. Writes beyond the limits are dropped or truncated. */
export function writeFile(files: Files, key: string, text: string): Files {
  const [tree, name] = isHostKey(key) ? ([files.host, 'host'] as const) : ([files.pod, 'pod'] as const)
  if (!tree.has(key) && tree.size >= maxFiles) return files
  if (text.length > smallFile && sizeOf(tree) + text.length > maxTotalCharacters) return files
  return { ...files, [name]: new Map(tree).set(key, text.slice(-maxCharacters)) }
}

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
  return { ...files, [name]: next }
}

/** Whether the directory contains any file. */
export function isDirectory({ pod, host }: Files, key: string): boolean {
  const prefix = key.endsWith('/') ? key : `${key}/`
  for (const one of (isHostKey(key) ? host : pod).keys()) if (one.startsWith(prefix)) return true
  return false
}

export function namesIn({ pod, host }: Files, key: string): string[] {
  const prefix = key.endsWith('/') ? key : `${key}/`
  const names = new Set<string>()
  for (const one of (isHostKey(key) ? host : pod).keys()) if (one.startsWith(prefix)) names.add(one.slice(prefix.length).split('/')[0]!)
  return [...names].sort()
}

/** By the innermost mount that contains the path, or else the container's own files, with the prefix `own`. */
export function keyOfPath(path: string, mounts: readonly Mount[], own: string): string {
  let best: Mount | undefined
  for (const mount of mounts) {
    const isInside = path === mount.path || path.startsWith(mount.path.endsWith('/') ? mount.path : `${mount.path}/`)
    if (isInside && (best === undefined || mount.path.length > best.path.length)) best = mount
  }
  if (best === undefined) return `${own}${path}`
  return `${best.prefix}${path.slice(best.path.length)}`
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
