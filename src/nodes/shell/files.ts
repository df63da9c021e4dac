// The files that containers see. They exist here only: nothing reads or writes the machine's own.

/** Contents by key. A key says where the file lives: in a container, in a volume of the pod, or on the node. */
export type FileTree = ReadonlyMap<string, string>

export const noFiles: FileTree = new Map()

/** Everything that a container can reach. Values, never changed in place. */
export interface Files {
  /** Of the pod: its volumes, and what its containers wrote beside them. */
  readonly pod: FileTree
  /** Of the node: hostPath volumes. */
  readonly host: FileTree
}

/** A directory that is mounted in a container. */
export interface Mount {
  readonly path: string
  /** Where its files live. */
  readonly prefix: string
}

const maxFiles = 1000
const maxCharacters = 64 * 1024
/** A larger file than a small one is written only while all of them together are not larger than that. */
const smallFile = 1024
const maxTotalCharacters = 1024 * 1024

const isHostKey = (key: string) => key.startsWith('host:')

export function readFile({ pod, host }: Files, key: string): string | undefined {
  return (isHostKey(key) ? host : pod).get(key)
}

/** With the file written. Far too many or too long ones are cut: this is no disk. */
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

/** Whether any file lies under the directory. */
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

/** Of the mounts, the deepest that holds the path; else the container's own files, under `own`. */
export function keyOfPath(path: string, mounts: readonly Mount[], own: string): string {
  let best: Mount | undefined
  for (const mount of mounts) {
    const isInside = path === mount.path || path.startsWith(mount.path.endsWith('/') ? mount.path : `${mount.path}/`)
    if (isInside && (best === undefined || mount.path.length > best.path.length)) best = mount
  }
  if (best === undefined) return `${own}${path}`
  return `${best.prefix}${path.slice(best.path.length)}`
}

/** `a/../b` from `/x` is `/x/b`. */
export function absolutePath(path: string, directory: string): string {
  const parts: string[] = []
  for (const part of (path.startsWith('/') ? path : `${directory}/${path}`).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}
