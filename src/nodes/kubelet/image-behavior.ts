// Images whose behaviour is common knowledge: servers that run until they are told to stop, and bases that only bring
// a shell.
import { parseImageName } from './image-name.ts'

export interface Server {
  /** The exit code after SIGTERM. */
  readonly codeOnTerm: number
  /** What it says when it starts. */
  readonly prints?: string
  /** What it answers over HTTP, where that is known. */
  readonly serves?: ServerKind
}

/** Its name, its files, a little of both, that it is well for its first seconds; or its health over gRPC. */
export type ServerKind = 'hostname' | 'files' | 'netexec' | 'liveness' | 'grpc'

/** They end well when they are asked to. */
const gracefulServers = new Set([
  'nginx',
  'httpd',
  'pause',
  'redis',
  'postgres',
  'mysql',
  'mariadb',
  'mongo',
  'memcached',
  'rabbitmq',
  'caddy',
  'haproxy',
  'traefik',
  'envoy',
  'etcd',
  'registry',
  'nginx-new',
  'nginx-slim',
  'kube-proxy',
  'coredns',
  'web',
  'hello-app',
  'echoserver',
])

const bases = new Set([
  'busybox',
  'alpine',
  'debian',
  'ubuntu',
  'bash',
  'centos',
  'fedora',
  'rockylinux',
  'almalinux',
  'amazonlinux',
  'hello-world',
  'scratch',
])

const agnhostServers = new Set([
  'pause',
  'netexec',
  'serve-hostname',
  'test-webserver',
  'nettest',
  'liveness',
  'webhook',
  'porter',
  'echo-server',
  'fake-gitserver',
  'guestbook',
  'net',
  'no-snat-test-proxy',
  'nosnat-proxy',
  'port-forward-tester',
  'audit-proxy',
  'grpc-health-checking',
])

const servedByAgnhost: ReadonlyMap<string, ServerKind> = new Map([
  ['serve-hostname', 'hostname'],
  ['test-webserver', 'files'],
  ['netexec', 'netexec'],
  ['liveness', 'liveness'],
  ['grpc-health-checking', 'grpc'],
])

/** Kubernetes' two pictures are the file server with a page more. */
const pictures = new Set(['nautilus', 'kitten'])

/** Files that the image of a file server brings, with what is in them. */
export function filesOf(image: string): readonly (readonly [path: string, text: string])[] {
  const name = baseNameOf(image)
  const certificates = ['/localhost.crt', '/localhost.key'].map((path) => [path, path] as const)
  return pictures.has(name) ? [...certificates, ['/data.json', `{\n  "image": "${name}.jpg"\n}\n`]] : certificates
}

const baseNameOf = (image: string) => parseImageName(image)?.repository.split('/').at(-1) ?? ''

export function serverOf(image: string, command: readonly string[], args: readonly string[]): Server | undefined {
  const name = baseNameOf(image)
  if (isAgnhost(image) && (command.length === 0 || command[0]?.endsWith('agnhost'))) {
    const verb = command.length === 0 ? (args[0] ?? 'pause') : (command[1] ?? args[0] ?? 'pause')
    if (!agnhostServers.has(verb)) return undefined
    const serves = servedByAgnhost.get(verb)
    if (verb === 'pause') return { codeOnTerm: 0, prints: 'Paused\n' }
    return { codeOnTerm: verb === 'netexec' ? 0 : 2, ...(serves !== undefined && { serves }) }
  }
  if (command.length > 0) return undefined
  if (pictures.has(name)) return { codeOnTerm: 2, serves: 'files' }
  if (name === 'serve-hostname') return { codeOnTerm: 0, serves: 'hostname' }
  return gracefulServers.has(name) ? { codeOnTerm: 0 } : undefined
}

export const isAgnhost = (image: string) => baseNameOf(image) === 'agnhost'
export const isBaseImage = (image: string) => bases.has(baseNameOf(image))
