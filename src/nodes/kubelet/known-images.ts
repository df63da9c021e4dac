// Images whose behaviour is common knowledge: servers that run until they are told to stop, and bases that only bring
// a shell.
import { parseImageName } from './images.ts'

export interface Server {
  /** The exit code after SIGTERM. */
  readonly codeOnTerm: number
}

/** They end well when they are asked to. */
const politeServers = new Set([
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
  'serve-hostname',
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
  'logs-generator',
  'net',
  'no-snat-test-proxy',
  'nosnat-proxy',
  'port-forward-tester',
  'audit-proxy',
  'grpc-health-checking',
])

const baseNameOf = (image: string) => parseImageName(image)?.repository.split('/').at(-1) ?? ''

export function serverOf(image: string, command: readonly string[], args: readonly string[]): Server | undefined {
  const name = baseNameOf(image)
  if (name === 'agnhost' && (command.length === 0 || command[0]?.endsWith('agnhost'))) {
    const verb = command.length === 0 ? (args[0] ?? 'pause') : (command[1] ?? args[0] ?? 'pause')
    return agnhostServers.has(verb) ? { codeOnTerm: verb === 'pause' || verb === 'netexec' ? 0 : 2 } : undefined
  }
  if (command.length > 0) return undefined
  return politeServers.has(name) ? { codeOnTerm: 0 } : undefined
}

export const isBaseImage = (image: string) => bases.has(baseNameOf(image))
