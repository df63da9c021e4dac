// `rollcall chaos`: trouble for a running cluster.
import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { parseDurationMs } from '../base/duration.ts'
import { apiActions, controllerActions, nodeActions, podActions } from '../cluster/faults/fault-words.ts'
import type { ClusterOptions } from './find-cluster.ts'

interface ForOption extends ClusterOptions {
  readonly for?: string
}

interface PodOptions extends ForOption {
  readonly namespace?: string
  readonly container?: string
  readonly exitCode?: number
}

interface ApiOptions extends ForOption {
  readonly delay?: string
  readonly share?: string
  readonly code?: string
  readonly verb?: readonly string[]
  readonly kind?: readonly string[]
  readonly agent?: readonly string[]
}

export function addChaosCommand(program: Command): void {
  const chaos = program
    .command('chaos')
    .summary('make trouble for a running cluster: nodes, pods, the API server, controllers')
    .description(
      'Make trouble for a cluster that rollcall up runs, and watch what becomes of it. A fault goes on until its time is over\n(--for, in cluster time), until it is cleared, or until the cluster stops.',
    )
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .configureHelp({ helpWidth: 100, sortSubcommands: false })
    .addHelpText('after', chaosHelp)

  withLength(
    withCluster(
      chaos
        .command('node')
        .argument('<name>', 'of a simulated node')
        .addArgument(new Argument('<action>', 'what becomes of it').choices(nodeActions))
        .summary('a node goes away, comes back, or is drained')
        .addHelpText('after', nodeHelp),
    ),
  ).action(async (name: string, action: string, options: ForOption) => {
    const { runOrder } = await import('./run-chaos.ts')
    await runOrder(() => ({ target: 'node', name: bare('node', name), action, ...lengthOf(options) }), options)
  })

  withLength(
    withCluster(
      chaos
        .command('pod')
        .argument('<name>', 'of a pod on a simulated node')
        .addArgument(new Argument('<action>', 'what becomes of it').choices(podActions))
        .summary('a pod crashes, hangs, is not ready, or fails its probes')
        .addOption(new Option('-n, --namespace <name>', 'of the pod (default: that of the kubeconfig, or default)'))
        .addOption(new Option('-c, --container <name>', 'one container (default: all of them)'))
        .addOption(new Option('--exit-code <n>', 'of a crash (default: 137)').argParser(exitCode))
        .addHelpText('after', podHelp),
    ),
  ).action(async (name: string, action: string, options: PodOptions) => {
    const { runOrder } = await import('./run-chaos.ts')
    const { container, exitCode } = options
    await runOrder(
      (usual) => ({
        target: 'pod',
        name: bare('pod', name),
        namespace: options.namespace ?? usual,
        action,
        ...(container !== undefined && { container }),
        ...(exitCode !== undefined && { exitCode }),
        ...lengthOf(options),
      }),
      options,
    )
  })

  withLength(
    withCluster(
      chaos
        .command('api')
        .addArgument(new Argument('<action>', 'what becomes of the API server').choices(apiActions))
        .summary('the API server is slow, or refuses')
        .addOption(new Option('--delay <duration>', 'how long requests wait (default: 200ms where it is slow)').argParser(length))
        .addOption(new Option('--share <percent>', 'of the requests that are meant: 10% (default: all of them)').argParser(share))
        .addOption(new Option('--code <code>', 'of the refusal (default: 503)').choices(['429', '500', '503']))
        .addOption(new Option('--verb <verbs>', 'get, list, watch, create, …; several with commas').argParser(list))
        .addOption(new Option('--kind <kinds>', 'pods, deploy, …; several with commas').argParser(list))
        .addOption(
          new Option(
            '--agent <names>',
            'of whom: kubectl, kubelet, job-controller, …; how the User-Agent begins; several with commas',
          ).argParser(list),
        )
        .addHelpText('after', apiHelp),
    ),
  ).action(async (action: string, options: ApiOptions) => {
    const { runOrder } = await import('./run-chaos.ts')
    const { delay, share, code, verb, kind, agent } = options
    await runOrder(
      () => ({
        target: 'api',
        action,
        ...(delay !== undefined && { delay }),
        ...(share !== undefined && { share }),
        ...(code !== undefined && { code: Number(code) }),
        ...(verb && { verbs: verb }),
        ...(kind && { kinds: kind }),
        ...(agent && { agents: agent }),
        ...lengthOf(options),
      }),
      options,
    )
  })

  withLength(
    withCluster(
      chaos
        .command('controller')
        .argument('<name>', 'deployment-controller, job-controller, default-scheduler, …; or all')
        .addArgument(new Argument('<action>', 'what becomes of it').choices(controllerActions))
        .summary('a controller dies between two calls, works on an old copy, or starts again')
        .addHelpText('after', controllerHelp),
    ),
  ).action(async (name: string, action: string, options: ForOption) => {
    const { runOrder } = await import('./run-chaos.ts')
    await runOrder(() => ({ target: 'controller', name, action, ...lengthOf(options) }), options)
  })

  withCluster(chaos.command('list').summary('print the faults that go on').addOption(new Option('--json', 'print them as JSON'))).action(
    async (options: ClusterOptions & { readonly json?: boolean }) => {
      const { runList } = await import('./run-chaos.ts')
      await runList(options)
    },
  )

  withCluster(chaos.command('clear').argument('[ids...]', 'as rollcall chaos list prints them').summary('end all faults, or those')).action(
    async (ids: readonly string[], options: ClusterOptions) => {
      const { runClear } = await import('./run-chaos.ts')
      await runClear(ids, options)
    },
  )
}

const withCluster = (command: Command): Command =>
  command
    .addOption(new Option('--kubeconfig <file>', 'of the cluster (default: what KUBECONFIG names, or the one in the data directory)'))
    .addOption(new Option('--data-dir <dir>', 'of the cluster (default: .rollcall)'))
    .helpOption('-h, --help', 'print this help')

const withLength = (command: Command): Command =>
  command.addOption(new Option('--for <duration>', 'how long, in cluster time: 30s, 5m (default: until it is cleared)').argParser(length))

const lengthOf = (options: ForOption) => (options.for === undefined ? {} : { for: options.for })

/** `node/node-1`, as kubectl prints it, is `node-1`. */
const bare = (kind: string, name: string) => name.replace(new RegExp(`^${kind}s?/`), '')

const length = (text: string): string => {
  try {
    if (parseDurationMs(text) > 0) return text
  } catch {}
  throw new InvalidArgumentError('Write it like 250ms, 90s or 1h30m.')
}

const share = (text: string): string => {
  const value = /^[0-9]*\.?[0-9]+%$/.test(text) ? Number(text.slice(0, -1)) : Number.NaN
  if (!(value > 0 && value <= 100)) throw new InvalidArgumentError('Write it like 10%, up to 100%.')
  return text
}

const exitCode = (text: string): number => {
  const code = /^[0-9]{1,3}$/.test(text) ? Number(text) : Number.NaN
  if (!(code <= 255)) throw new InvalidArgumentError('Give a whole number from 0 to 255.')
  return code
}

const list = (text: string, before: readonly string[] = []): string[] => [
  ...before,
  ...text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== ''),
]

const chaosHelp = `
Exit code 0: done. 1: the cluster cannot be reached, or refuses. 2: there is no such node, pod or controller, or the order
makes no sense.

Examples:
  rollcall chaos node node-1 down --for 10m
  rollcall chaos node node-2 drain
  rollcall chaos pod web-59d4-x2kfq hang
  rollcall chaos api refuse --share 10% --verb create,update --for 2m
  rollcall chaos controller deployment-controller stale --for 30s
  rollcall chaos list
  rollcall chaos clear`

const nodeHelp = `
  down   it goes silent: no heartbeats, and nothing happens to its pods. After 50 s its conditions are Unknown, its
         pods not ready, and it is tainted; pods are evicted when their tolerations (300 s) are over, and stay
         Terminating, as nobody answers, until the node is back, the Node is deleted, or they are deleted by force
  up     it is back, and takes care of what happened meanwhile; ends a drain as well
  drain  it is cordoned, and its pods are evicted as disruption budgets allow. rollcall chaos list tells how far it is

Examples:
  rollcall chaos node node-1 down --for 10m
  rollcall chaos node node-1 up`

const podHelp = `
  crash           its containers end, once; with --for, whenever they run
  hang            when it is deleted, it does not end: its grace period passes, and it stays Terminating
  unready         it is not ready, whatever its probes say
  fail-readiness  its readiness probe fails, with the probe's thresholds
  fail-liveness   its liveness probe fails, with the probe's thresholds, and its container is restarted
  recover         it is left alone again

Examples:
  rollcall chaos pod web-59d4-x2kfq crash --exit-code 1
  rollcall chaos pod web-59d4-x2kfq unready --for 1m -n shop`

const apiHelp = `
  slow    requests wait before they are answered
  refuse  requests get 503, or another code

All requests for objects are meant: those of clients, and those of the controllers and nodes inside. Health checks,
discovery and rollcall chaos itself go on.

Examples:
  rollcall chaos api slow --delay 500ms --for 5m
  rollcall chaos api refuse --code 429 --share 20% --agent kubectl
  rollcall chaos api refuse --verb create --kind pods --agent replicaset-controller --for 1m`

const controllerHelp = `
  stop     it dies between two calls, wherever it is, and nobody does its work
  start    a new one starts from what is stored; a stale one hears what was held back
  stale    it starts anew, and then hears of nothing that changes: it works on an old copy
  restart  stop, and start

Examples:
  rollcall chaos controller replicaset-controller stop --for 1m
  rollcall chaos controller all restart`
