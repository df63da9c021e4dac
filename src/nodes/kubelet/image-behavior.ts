// How containers of well-known images behave. known-images.json lists the images: public servers and base images, and the test
// images of Kubernetes' end-to-end tests.
// Ours: no container runs, so that images are known by name.
import { parseImageName } from './image-name.ts'
import knownImages from './known-images.json' with { type: 'json' }

/** An image that runs a server until it is stopped. */
interface Server {
  /** The exit code after SIGTERM. */
  readonly codeOnTerm: number
  /** What it prints at its start. */
  readonly prints?: string
  /** Absent: its HTTP responses are not known. */
  readonly serves?: ServerKind
  /** Files of the image, by path. */
  readonly files?: Readonly<Record<string, string>>
}

/** Serves its host name, its files, both in part (netexec), its health, which fails after some seconds, its health over gRPC, a guest book, webhooks, or values of its variables (porter). */
export type ServerKind =
  | 'hostname'
  | 'files'
  | 'netexec'
  | 'liveness'
  | 'grpc'
  | 'guestbook'
  | 'webhook'
  | 'crd-conversion-webhook'
  | 'porter'

const plainServer: Server = { codeOnTerm: 0 }
const servers = new Set(knownImages.servers)
const bases = new Set(knownImages.bases)
const testServers = new Map(Object.entries(knownImages.testServers as Readonly<Record<string, Server>>))
const agnhostServers = new Map(Object.entries(knownImages.agnhost as Readonly<Record<string, Server>>))

export const serverPorts: Readonly<Record<Exclude<ServerKind, 'porter'>, number>> = knownImages.serverPorts

const baseNameOf = (image: string) => parseImageName(image)?.repository.split('/').at(-1) ?? ''

/** The files that the image of a file server contains, as pairs of path and content. */
export function filesOf(image: string): readonly (readonly [path: string, content: string])[] {
  return Object.entries({ ...knownImages.serverFiles, ...testServers.get(baseNameOf(image))?.files })
}

/** Undefined: the container does not run a known server. */
export function serverOf(image: string, command: readonly string[], args: readonly string[]): Server | undefined {
  if (isAgnhost(image) && (command.length === 0 || command[0]?.endsWith('agnhost')))
    return agnhostServers.get(command.length === 0 ? (args[0] ?? 'pause') : (command[1] ?? args[0] ?? 'pause'))
  if (command.length > 0) return undefined
  const name = baseNameOf(image)
  return testServers.get(name) ?? (servers.has(name) ? plainServer : undefined)
}

export const isAgnhost = (image: string) => baseNameOf(image) === 'agnhost'
export const isBaseImage = (image: string) => bases.has(baseNameOf(image))
