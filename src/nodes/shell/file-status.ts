// What `stat` and `statfs` report about a path.
import { type Files, isDirectory, keyOfPath, type Mount, modeOf, mountOf, readFile } from './files.ts'

export interface FileStatus {
  readonly isDirectory: boolean
  /** The permissions, with the bits setgid and sticky. */
  readonly mode: number
  readonly user: number
  readonly group: number
  /** The magic number of Linux. */
  readonly fileSystem: number
}

interface Place {
  readonly mounts: readonly Mount[]
  readonly own: string
  readonly user: { readonly id: number; readonly group: number }
}

export const tmpfs = 0x01021994
const ext4 = 0xef53
const overlay = 0x794c7630

/** `isKnownDirectory`: every system has a directory at that path. Undefined: there is nothing. Files that containers wrote count as the own ones of the user. */
export function statusOf(files: Files, path: string, isKnownDirectory: boolean, { mounts, own, user }: Place): FileStatus | undefined {
  const mount = mountOf(path, mounts)
  const key = keyOfPath(path, mounts, own)
  const fileSystem = mount === undefined ? overlay : mount.isInMemory ? tmpfs : ext4
  const provided = files.provided?.read(key)
  if (provided !== undefined) return { isDirectory: false, mode: provided.mode, user: provided.user, group: provided.group, fileSystem }
  const group = mount?.group
  if (readFile(files, key) !== undefined)
    return { isDirectory: false, mode: modeOf(files, key) ?? 0o644, user: user.id, group: group ?? user.group, fileSystem }
  if (path === mount?.path) return { isDirectory: true, mode: mount.mode ?? 0o755, user: 0, group: group ?? 0, fileSystem }
  if (!isKnownDirectory && !isDirectory(files, key)) return undefined
  return { isDirectory: true, mode: 0o755, user: 0, group: group ?? 0, fileSystem }
}

/** As Go prints it: `-rw-r--r--`, `drwxr-xr-x`, `dtrwxrwxrwx`. */
export function formatMode({ isDirectory, mode }: Pick<FileStatus, 'isDirectory' | 'mode'>): string {
  const letters = `${isDirectory ? 'd' : ''}${mode & 0o2000 ? 'g' : ''}${mode & 0o1000 ? 't' : ''}` || '-'
  return letters + permissionsOf(mode)
}

/** `rw-r--r--` */
export const permissionsOf = (mode: number): string =>
  [...'rwxrwxrwx'].map((letter, at) => ((mode >> (8 - at)) & 1 ? letter : '-')).join('')
