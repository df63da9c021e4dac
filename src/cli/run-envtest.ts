// Runs `rollcall envtest`.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { defaultFeatureGates } from '../api/machinery/feature-gates.ts'
import { kubernetes } from '../api/machinery/kubernetes-version.ts'
import { isSwitchable } from '../api/machinery/switchable-plugins.ts'
import { readDurationMs } from '../base/duration.ts'
import { quoteCommand } from '../base/shell-quoting.ts'
import { serveEtcdHealth } from '../cluster/remote/health-server.ts'
import { rollcallVersion } from '../cluster/version.ts'
import { usageError } from './error-line.ts'
import { type OutputOption, printData } from './flag-values.ts'

/** The stand-ins are shell scripts that start this program, or the kubectl of the machine. */
export async function writeAssets(dir: string, { output }: OutputOption): Promise<void> {
  const folder = resolve(dir)
  mkdirSync(folder, { recursive: true })
  // A single executable is its own script.
  const script = process.argv[1] === process.execPath ? [] : [resolve(process.argv[1]!)]
  const own = quoteCommand([process.execPath, ...script])
  const files: string[] = []
  const write = (name: string, script: string) => {
    const path = join(folder, name)
    files.push(path)
    writeFileSync(path, `#!/bin/sh\n${script}\n`)
    chmodSync(path, 0o755)
  }
  // After --, so that none of their flags is taken for one of rollcall's own, such as --version.
  for (const name of ['kube-apiserver', 'etcd']) write(name, `exec ${own} envtest ${name} -- "$@"`)
  write(
    'kubectl',
    `here=$(cd "$(dirname "$0")" && pwd)
IFS=:
for folder in $PATH; do
  if [ "$folder" != "$here" ] && [ -x "$folder/kubectl" ]; then exec "$folder/kubectl" "$@"; fi
done
echo 'error: Cannot find kubectl on the PATH. Install it.' >&2
exit 1`,
  )
  const environment = { KUBEBUILDER_ASSETS: folder }
  if (output !== undefined) return printData({ directory: folder, files, kubernetes: kubernetes.version, environment }, output)
  process.stdout.write(`Wrote kube-apiserver, etcd and kubectl to ${folder}.\n\n  KUBEBUILDER_ASSETS=${folder} go test ./...\n`)
}

/** `--name=value`, `--name value` and `--name`; a flag may be repeated. */
function parseFlags(args: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const flags = new Map<string, string[]>()
  for (let i = 0; i < args.length; i++) {
    const [, name = '', value] = /^--?([^=]+)(?:=(.*))?$/s.exec(args[i]!) ?? []
    if (name === '') continue
    const follows = value === undefined && args[i + 1] !== undefined && !args[i + 1]!.startsWith('-')
    flags.set(name, [...(flags.get(name) ?? []), value ?? (follows ? args[++i]! : 'true')])
  }
  return flags
}

const servedFlags = [
  'admission-control-config-file',
  'bind-address',
  'cert-dir',
  'client-ca-file',
  'disable-admission-plugins',
  'enable-admission-plugins',
  'secure-port',
  'service-account-issuer',
  'service-account-key-file',
  'service-account-signing-key-file',
]
/** Accepted without a note: Rollcall does what they ask for, or they have no meaning for it. */
const ignoredFlags = ['allow-privileged', 'authorization-mode', 'etcd-servers', 'service-cluster-ip-range', 'v']

const apiServerHelp = `Rollcall's stand-in for kube-apiserver, for envtest: Rollcall ${rollcallVersion}, with the API of Kubernetes ${kubernetes.version}.

Flags that have an effect:
${servedFlags.map((name) => `      --${name}`).join('\n')}

Other flags are accepted and ignored. ROLLCALL_CONTROLLERS=all starts controllers and simulated nodes.
`

export async function runApiServer(args: readonly string[]): Promise<void> {
  const flags = parseFlags(args)
  if (flags.has('help') || flags.has('h')) {
    process.stdout.write(apiServerHelp)
    return
  }
  if (flags.has('version')) {
    // Scripts read it: exactly the line of kube-apiserver.
    process.stdout.write(`Kubernetes ${kubernetes.version}\n`)
    return
  }
  const unknown = [...flags.keys()].filter((name) => !servedFlags.includes(name) && !ignoredFlags.includes(name))
  if (unknown.length > 0) process.stderr.write(`note: Rollcall ignores ${unknown.map((name) => `--${name}`).join(', ')}.\n`)
  const plugins = readPlugins(flags)
  if (plugins.ignored.length > 0)
    process.stderr.write(`note: Rollcall ignores ${plugins.ignored.join(', ')} in --enable-admission-plugins.\n`)
  const { startEnvtestServer } = await import('../cluster/envtest-server.ts')
  const one = (name: string) => flags.get(name)?.at(-1)
  const server = await startEnvtestServer({
    host: one('bind-address') ?? '127.0.0.1',
    port: Number(one('secure-port') ?? 6443),
    certDir: one('cert-dir'),
    clientAuthority: one('client-ca-file'),
    signingKeyFile: one('service-account-signing-key-file'),
    keyFiles: flags.get('service-account-key-file') ?? [],
    issuer: one('service-account-issuer') ?? 'https://kubernetes.default.svc',
    gates: defaultFeatureGates,
    admissionPlugins: plugins.enabled,
    latencyMs: readLatency(process.env['ROLLCALL_LATENCY']),
    admissionConfiguration: one('admission-control-config-file'),
    ...readControllers(process.env['ROLLCALL_CONTROLLERS'] ?? ''),
    version: rollcallVersion,
    log: (line) => process.stderr.write(`${line}\n`),
  })
  process.stderr.write(`Rollcall serves ${server.url} in place of kube-apiserver.\n`)
  await stopOnSignal(() => server.stop())
}

/** A plugin is on where it is enabled and not disabled: envtest disables ServiceAccount, which needs a controller. */
function readPlugins(flags: ReadonlyMap<string, readonly string[]>) {
  const namesOf = (flag: string) => (flags.get(flag) ?? []).flatMap((list) => list.split(',')).filter((name) => name !== '')
  const off = namesOf('disable-admission-plugins')
  const on = namesOf('enable-admission-plugins').filter((name) => !off.includes(name))
  return { enabled: on.filter(isSwitchable), ignored: on.filter((name) => !isSwitchable(name)) }
}

/** `5ms`: the latency of a real server, for tests that rely on it. */
function readLatency(text = ''): number {
  if (text === '' || text === '0') return 0
  const ms = readDurationMs(text)
  if (ms === undefined || ms < 0 || ms > 1000)
    throw usageError(`ROLLCALL_LATENCY is ${JSON.stringify(text)}. Set it to a duration up to 1s, such as 5ms.`)
  return ms
}

const simulatedNodes = Array.from({ length: 3 }, (_, i) => ({ name: `node-${i + 1}` }))

/** `all`, or names with or without the ending -controller; `nodes` stands for simulated nodes with their scheduler. */
function readControllers(text: string) {
  const names = text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
  if (names.length === 0 || text === 'none') return { controllers: 'none', nodes: [] } as const
  if (names.includes('all') || names.includes('*')) return { controllers: 'all', nodes: simulatedNodes } as const
  return { controllers: names.filter((one) => one !== 'nodes'), nodes: names.includes('nodes') ? simulatedNodes : [] }
}

/** Answers `GET /health`: objects are kept by the stand-in of kube-apiserver. */
export async function runEtcd(args: readonly string[]): Promise<void> {
  const flags = parseFlags(args)
  // envtest reads the help to learn which flags there are.
  if (flags.has('help') || flags.has('h') || flags.has('version')) {
    process.stdout.write("Rollcall's stand-in for etcd, for envtest. It answers GET /health at --listen-client-urls.\n")
    return
  }
  const urls = (flags.get('listen-client-urls') ?? ['http://127.0.0.1:2379']).flatMap((one) => one.split(','))
  const stops = await Promise.all(urls.map(serveEtcdHealth))
  await stopOnSignal(() => Promise.all(stops.map((stop) => stop())))
}

function stopOnSignal(stop: () => Promise<unknown>): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      // The caller waits for the end of the process, and the objects are in memory only.
      void stop().then(done, done)
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end)
  }).then(() => process.exit(0))
}
